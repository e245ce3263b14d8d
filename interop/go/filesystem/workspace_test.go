// Package filesystem_test drives the filesystem plugin on real files, through the real go-plugin, as the kernel
// would: preview, call, render. What is asserted is the catalog's; the plugin's own tests go deeper.
package filesystem_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

type args = map[string]any

// workspace is a root and a plugin that may touch it, for one session.
type workspace struct {
	t      *testing.T
	root   string
	plugin *kernel.Plugin
}

// change is what every mutation returns.
type change struct {
	Operation     string   `json:"operation"`
	Path          string   `json:"path"`
	RealPath      string   `json:"real_path"`
	SizeBytes     int      `json:"size_bytes"`
	LinesAdded    int      `json:"lines_added"`
	LinesRemoved  int      `json:"lines_removed"`
	SHA256        string   `json:"sha256"`
	Diff          string   `json:"diff"`
	UndoAvailable int      `json:"undo_available"`
	Warnings      []string `json:"warnings"`
	Created       bool     `json:"created"`
	Removed       bool     `json:"removed"`
	Replacements  int      `json:"replacements"`
}

// open makes a workspace in a new folder.
func open(t *testing.T) *workspace { return openAt(t, kerneltest.Temporary(t), nil) }

// openAt makes a workspace of a folder, with attributes beside its root.
func openAt(t *testing.T, root string, config args) *workspace {
	t.Helper()
	options := kerneltest.Filesystem(t, root)
	for name, value := range kerneltest.Struct(t, config).GetFields() {
		options.Config.Fields[name] = value
	}
	plugin, _ := kerneltest.Launch(t, options)
	return &workspace{t, root, plugin}
}

func (w *workspace) call(operation string, arguments args) *toolv1.ToolCall {
	w.t.Helper()
	return &toolv1.ToolCall{
		Id: "call-1", ToolName: operation, Arguments: kerneltest.Struct(w.t, arguments),
		CallContext: &commonv1.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: w.root},
	}
}

func (w *workspace) invoke(operation string, arguments args) *toolv1.ToolEvent {
	w.t.Helper()
	terminal, err := w.plugin.Invoke(context.Background(), w.call(operation, arguments), nil)
	if err != nil {
		w.t.Fatalf("%s broke: %v", operation, err)
	}
	return terminal
}

// do is a call that must succeed.
func (w *workspace) do(operation string, arguments args) *toolv1.ToolEvent {
	w.t.Helper()
	terminal := w.invoke(operation, arguments)
	if failure := terminal.GetError(); failure != nil {
		w.t.Fatalf("%s failed: %v", operation, failure)
	}
	return terminal
}

// change is a mutation that must succeed.
func (w *workspace) change(operation string, arguments args) change {
	w.t.Helper()
	return kerneltest.Read[change](w.t, w.do(operation, arguments).GetResult().GetPayload())
}

// refuse is a call that must fail with a category.
func (w *workspace) refuse(category toolv1.ToolErrorCategory, operation string, arguments args) string {
	w.t.Helper()
	failure := w.invoke(operation, arguments).GetError()
	if failure.GetCategory() != category {
		w.t.Fatalf("%s gave %v (%s), want %v", operation, failure.GetCategory(), failure.GetMessage(), category)
	}
	return failure.GetMessage()
}

// put writes a file behind the plugin's back.
func (w *workspace) put(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// has checks what a file holds.
func (w *workspace) has(name, content string) {
	w.t.Helper()
	actual, err := os.ReadFile(filepath.Join(w.root, name))
	if err != nil || string(actual) != content {
		w.t.Errorf("%s holds %.200q (%v), want %.200q", name, actual, err, content)
	}
}

const (
	invalid  = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS
	notFound = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND
	denied   = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED
	failed   = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED
	conflict = toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_CONCURRENCY_CONFLICT
)
