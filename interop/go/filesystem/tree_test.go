package filesystem_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
)

// preview is the picture of a call before it is made.
func (w *workspace) preview(operation string, arguments args) *renderv1.RenderNode {
	w.t.Helper()
	tree, err := w.plugin.Preview(context.Background(), w.call(operation, arguments))
	if err != nil {
		w.t.Fatalf("Preview of %s: %v", operation, err)
	}
	return tree.GetRoot()
}

// nodes are a node and everything below it.
func nodes(root *renderv1.RenderNode) []*renderv1.RenderNode {
	all := []*renderv1.RenderNode{root}
	children := slices.Concat(root.GetGroup().GetChildren(), root.GetCollapsible().GetChildren(), root.GetList().GetItems())
	for _, child := range children {
		all = append(all, nodes(child)...)
	}
	return all
}

// textOf is all plain text of a tree.
func textOf(root *renderv1.RenderNode) string {
	var text strings.Builder
	for _, node := range nodes(root) {
		text.WriteString(node.GetText().GetContent() + "\n")
	}
	return text.String()
}

// diffOf is the one diff of a tree.
func diffOf(t *testing.T, root *renderv1.RenderNode) *renderv1.DiffNode {
	t.Helper()
	var found []*renderv1.DiffNode
	for _, node := range nodes(root) {
		if diff := node.GetDiff(); diff != nil {
			found = append(found, diff)
		}
	}
	if len(found) != 1 {
		t.Fatalf("the tree has %d diffs, want 1: %v", len(found), root)
	}
	return found[0]
}

// apply patches lines by a diff, and fails where a line is not where the diff says it is.
func apply(t *testing.T, diff *renderv1.DiffNode, before string) string {
	t.Helper()
	old := strings.Split(before, "\n")
	var patched []string
	at := 0
	for _, hunk := range diff.GetHunks() {
		start := int(hunk.GetOldStart()) - 1
		if hunk.GetOldLines() == 0 {
			start++ // where nothing was, the number is of the line before
		}
		if start < at || start > len(old) {
			t.Fatalf("a hunk begins at line %d of %d, after line %d", start+1, len(old), at)
		}
		patched = append(patched, old[at:start]...)
		at = start
		for _, line := range hunk.GetLines() {
			if line.GetOp() != renderv1.DiffLineOp_DIFF_LINE_OP_ADD {
				if at >= len(old) || strings.TrimSuffix(old[at], "\r") != strings.TrimSuffix(line.GetText(), "\r") {
					t.Fatalf("line %d is not %q", at+1, line.GetText())
				}
				at++
			}
			if line.GetOp() != renderv1.DiffLineOp_DIFF_LINE_OP_REMOVE {
				patched = append(patched, line.GetText())
			}
		}
	}
	return strings.Join(append(patched, old[at:]...), "\n")
}
