// Package search_test drives the built search plugin through the real go-plugin, as the kernel would: schema, glob and
// grep with their partial results, refusals, pictures and cancellation. The plugin's own tests go deeper.
package search_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

// open launches the plugin on a tree of its own, with a secret beside its root and a link to it inside.
func open(t *testing.T) (*kernel.Plugin, string) {
	t.Helper()
	outer := t.TempDir()
	root := filepath.Join(outer, "root")
	for name, content := range map[string]string{
		"root/src/a.ts": "one\nneedle\nthree\n", "root/src/b.ts": "needle needle\n", "root/notes.md": "nothing\n",
		"secret.txt": "needle in a secret\n",
	} {
		path := filepath.Join(outer, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outer, "secret.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	plugin, _ := kerneltest.Launch(t, kernel.Options{
		Path:   filepath.Join(kerneltest.Repository(t), "plugins", "search", "dist", "plugin-tool-search"),
		Config: kerneltest.Struct(t, map[string]any{"roots": []any{root}}),
	})
	return plugin, root
}

func call(t *testing.T, root, operation string, arguments map[string]any) *toolv1.ToolCall {
	t.Helper()
	return &toolv1.ToolCall{
		Id: "call-1", ToolName: operation, Arguments: kerneltest.Struct(t, arguments),
		CallContext: &commonv1.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: root},
	}
}

func TestTheSchemaIsTheCatalogs(t *testing.T) {
	plugin, _ := open(t)
	missing := map[string]bool{"glob": true, "grep": true}
	for _, tool := range plugin.Schema.GetTools() {
		known := missing[tool.GetName()]
		delete(missing, tool.GetName())
		if !known || tool.GetKind() != toolv1.ToolKind_TOOL_KIND_DATA_SOURCE || tool.GetRisk() != toolv1.RiskClass_RISK_CLASS_READ_ONLY ||
			!tool.GetStreaming() || !tool.GetConcurrency().GetSafe() || tool.GetDefaultTimeout().AsDuration().Seconds() != 60 {
			t.Errorf("not the catalog's: %v", tool)
		}
	}
	if len(missing) > 0 {
		t.Errorf("missing: %v", missing)
	}
}

func TestGrepStreamsItsMatchesAndHasThemInItsResult(t *testing.T) {
	plugin, root := open(t)
	partial := 0
	terminal, err := plugin.Invoke(context.Background(), call(t, root, "grep", map[string]any{"pattern": "needle"}), func(event *toolv1.ToolEvent) {
		if event.GetPartialResult() != nil {
			partial++
		}
	})
	if err != nil || terminal.GetError() != nil {
		t.Fatalf("%v, %v", terminal, err)
	}
	found := kerneltest.Read[struct {
		Operation string
		Matches   []struct {
			Path         string
			Line, Column int
		}
	}](t, terminal.GetResult().GetPayload())
	if found.Operation != "grep" || len(found.Matches) != 2 || partial == 0 {
		t.Fatalf("%d partial results, then %+v", partial, found)
	}
	if first := found.Matches[0]; first.Path != "src/a.ts" || first.Line != 2 || first.Column != 1 {
		t.Errorf("the first match is %+v", first)
	}
	if tree, err := plugin.RenderOutcome(context.Background(), "call-1", terminal); err != nil || tree.GetRoot() == nil {
		t.Errorf("rendered as %v, %v", tree, err)
	}
}

func TestGlobFindsFilesAndNothingBehindALinkToTheOutside(t *testing.T) {
	plugin, root := open(t)
	terminal, err := plugin.Invoke(context.Background(), call(t, root, "glob", map[string]any{"pattern": "**", "sort": "path"}), nil)
	if err != nil || terminal.GetError() != nil {
		t.Fatalf("%v, %v", terminal, err)
	}
	found := kerneltest.Read[struct {
		Matches []struct{ Path string }
		Total   int
	}](t, terminal.GetResult().GetPayload())
	var paths []string
	for _, match := range found.Matches {
		paths = append(paths, match.Path)
	}
	if strings.Join(paths, " ") != "notes.md src/a.ts src/b.ts" || found.Total != 3 {
		t.Errorf("found %v, in all %d", paths, found.Total)
	}
}

func TestWhatIsOutsideOrWrongIsRefusedInTheStream(t *testing.T) {
	plugin, root := open(t)
	for name, want := range map[string]struct {
		arguments map[string]any
		category  toolv1.ToolErrorCategory
	}{
		"a bad pattern":     {map[string]any{"pattern": "("}, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS},
		"a place outside":   {map[string]any{"pattern": "needle", "path": ".."}, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED},
		"a link to outside": {map[string]any{"pattern": "needle", "path": "link.txt"}, toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED},
	} {
		terminal, err := plugin.Invoke(context.Background(), call(t, root, "grep", want.arguments), nil)
		if err != nil || terminal.GetError().GetCategory() != want.category || strings.Contains(terminal.String(), "secret") {
			t.Errorf("%s gave %v, %v", name, terminal, err)
		}
	}
}
