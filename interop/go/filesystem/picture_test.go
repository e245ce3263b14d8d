package filesystem_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	eventv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/event/v1"
	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

func (w *workspace) render(terminal *toolv1.ToolEvent) *renderv1.RenderNode {
	w.t.Helper()
	tree, err := w.plugin.RenderOutcome(context.Background(), "call-1", terminal)
	if err != nil {
		w.t.Fatalf("Render: %v", err)
	}
	return tree.GetRoot()
}

// A person approves what will happen: the preview's hunks, applied to the file, are the file afterwards, and the
// render of the stored result shows the same again.
func TestPreviewCallAndRenderShowTheSameChange(t *testing.T) {
	before := strings.Repeat("filler\n", 50) + "alpha\nbeta\n" + strings.Repeat("filler\n", 50) + "omega\n"
	for name, test := range map[string]struct {
		operation string
		arguments args
	}{
		"write_file": {"write_file", args{"path": "f", "content": "first\n" + before + "last\n"}},
		"edit_file":  {"edit_file", args{"path": "f", "old_string": "alpha\nbeta", "new_string": "ALPHA\nBETA\nGAMMA"}},
		"multi_edit": {"multi_edit", args{"path": "f", "edits": []any{
			args{"old_string": "alpha\n", "new_string": ""}, args{"old_string": "omega", "new_string": "$& OMEGA"},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.put("f", before)
			w.read(args{"path": "f"})

			shown := w.preview(test.operation, test.arguments)
			w.has("f", before)
			after := apply(t, diffOf(t, shown), before)
			terminal := w.do(test.operation, test.arguments)
			w.has("f", after)

			rendered := w.render(terminal)
			if apply(t, diffOf(t, rendered), before) != after {
				t.Errorf("the render shows another change: %v", rendered)
			}
			w.pressUndo(rendered)
			w.has("f", before)
		})
	}
}

// pressUndo calls what the render's Undo button calls.
func (w *workspace) pressUndo(root *renderv1.RenderNode) {
	w.t.Helper()
	for _, node := range nodes(root) {
		if action := node.GetAction(); action != nil {
			if action.GetLabel() != "Undo" || action.GetToolName() != "undo_edit" {
				w.t.Errorf("the button is %v", action)
			}
			w.do(action.GetToolName(), action.GetArgs().AsMap())
			return
		}
	}
	w.t.Errorf("no Undo button: %v", root)
}

func TestAPreviewWarnsOfACallThatWouldFail(t *testing.T) {
	w := open(t)
	w.put("f", "a\n")
	shown := w.preview("edit_file", args{"path": "f", "old_string": "nope", "new_string": "x"})
	if text := textOf(shown); !strings.Contains(text, "not_found") || !strings.Contains(text, "f") {
		t.Errorf("the preview says %q", text)
	}
	w.has("f", "a\n")
}

func TestEveryOperationHasAPictureBeforeAndAfter(t *testing.T) {
	w := open(t)
	w.put("f", "a\nb\n")
	for _, step := range []struct {
		operation string
		arguments args
	}{
		{"read_file", args{"path": "f"}},
		{"list_directory", args{"path": "."}},
		{"write_file", args{"path": "f", "content": "a\nc\n"}},
		{"edit_file", args{"path": "f", "old_string": "c", "new_string": "d"}},
		{"multi_edit", args{"path": "f", "edits": []any{args{"old_string": "d", "new_string": "e"}}}},
		{"undo_edit", args{"path": "f"}},
	} {
		if text := textOf(w.preview(step.operation, step.arguments)); !strings.Contains(text, step.arguments["path"].(string)) {
			t.Errorf("the preview of %s does not name the path: %q", step.operation, text)
		}
		terminal := w.do(step.operation, step.arguments)
		if named := terminal.GetResult().GetPayload().GetFields()["operation"].GetStringValue(); named != step.operation {
			t.Errorf("the result of %s names %q", step.operation, named)
		}
		if rendered := w.render(terminal); len(nodes(rendered)) < 2 {
			t.Errorf("the render of %s is %v", step.operation, rendered)
		}
	}
}

// Terminal escapes in a file are shown, never sent.
func TestPicturesHoldNoTerminalEscapes(t *testing.T) {
	w := open(t)
	arguments := args{"path": "f", "content": "red \x1b[31m and \u202e turned\n"}
	shown := w.preview("write_file", arguments)
	terminal := w.do("write_file", arguments)
	for name, picture := range map[string]*renderv1.RenderNode{"preview": shown, "render": w.render(terminal)} {
		text := textOf(picture)
		for _, hunk := range diffOf(t, picture).GetHunks() {
			for _, line := range hunk.GetLines() {
				text += line.GetText()
			}
		}
		if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "red") {
			t.Errorf("the %s holds an escape, or not the text: %q", name, text)
		}
	}
	w.has("f", "red \x1b[31m and \u202e turned\n")
}

func TestStoredErrorsAndCallsAreRendered(t *testing.T) {
	w := open(t)
	failure := w.invoke("read_file", args{"path": "nope"})
	if text := textOf(w.render(failure)); !strings.Contains(text, "nope") {
		t.Errorf("the render of an error says %q", text)
	}
	stored := &eventv1.ToolCallEvent{Call: w.call("read_file", args{"path": "some-file"})}
	tree, err := w.plugin.Render(context.Background(), stored, "1")
	if err != nil || !strings.Contains(tree.String(), "some-file") {
		t.Errorf("the render of a call is %v, %v", tree, err)
	}
}

func TestRenderOfAnotherPluginsResultIsRefused(t *testing.T) {
	w := open(t)
	terminal := w.do("list_directory", args{"path": "."})
	terminal.GetResult().GetPayload().GetFields()["operation"].Kind = nil
	if _, err := w.plugin.RenderOutcome(context.Background(), "call-1", terminal); status.Code(err) != codes.InvalidArgument {
		t.Errorf("Render gave %v, want InvalidArgument", err)
	}
}
