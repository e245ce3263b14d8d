package conformanceplugin

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

func TestANoteIsARegularFileInsideTheRoot(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(outside, "root")
	for _, step := range []error{
		os.MkdirAll(filepath.Join(root, "folder"), 0o755),
		os.WriteFile(filepath.Join(root, "note"), []byte("text"), 0o644),
		os.WriteFile(filepath.Join(outside, "secret"), []byte("text"), 0o644),
		os.WriteFile(filepath.Join(root, "bytes"), []byte{0xff}, 0o644),
		os.Symlink("note", filepath.Join(root, "to-note")),
		os.Symlink("../secret", filepath.Join(root, "to-secret")),
		os.Symlink("..", filepath.Join(root, "up")),
		os.Symlink("../missing", filepath.Join(root, "to-nothing")),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	const (
		fine    = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_UNSPECIFIED
		invalid = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS
		missing = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND
		denied  = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED
		failure = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED
	)
	for path, want := range map[string]toolv1.ToolErrorCategory{
		"note": fine, "folder/../note": fine, "to-note": fine, filepath.Join(root, "note"): fine,
		"": invalid, "a\x00b": invalid, "folder": invalid,
		"missing": missing, "no/such/folder": missing,
		"../secret": denied, "to-secret": denied, "up/secret": denied, "up/new": denied, "to-nothing": denied,
		"/etc/hostname": denied, "../root-of-another": denied,
		"bytes": failure,
	} {
		_, err := readNote(&call{
			ctx: t.Context(), root: root, workingDirectory: root,
			arguments: &structpb.Struct{Fields: map[string]*structpb.Value{"path": structpb.NewStringValue(path)}},
		})
		got := fine
		if err != nil {
			got = toolErrorOf(err).GetCategory()
		}
		if got != want {
			t.Errorf("%q: %v (%v), want %v", path, got, err, want)
		}
	}
}
