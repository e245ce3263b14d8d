// Package web_test drives the built web plugin through the real go-plugin, as the kernel would: schema, configuration
// with its zero values, fetch, refusal, cancellation. The plugin's own tests go deeper.
package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

// open launches the plugin beside a server whose only address it may reach.
func open(t *testing.T, handler http.HandlerFunc) (*kernel.Plugin, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	plugin, _ := kerneltest.Launch(t, kernel.Options{
		Path: filepath.Join(kerneltest.Repository(t), "plugins", "web", "dist", "plugin-tool-web"),
		Config: kerneltest.Struct(t, map[string]any{
			"allowed_domains": []any{"127.0.0.1"}, "private_origins": []any{server.URL},
		}),
	})
	return plugin, server.URL
}

func call(t *testing.T, operation string, arguments map[string]any) *toolv1.ToolCall {
	t.Helper()
	return &toolv1.ToolCall{
		Id: "call-1", ToolName: operation, Arguments: kerneltest.Struct(t, arguments),
		CallContext: &commonv1.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: "/"},
	}
}

func TestTheSchemaIsTheCatalogs(t *testing.T) {
	plugin, _ := open(t, http.NotFound)
	streams := map[string]bool{"web_fetch": true, "web_search": false}
	for _, tool := range plugin.Schema.GetTools() {
		streaming, known := streams[tool.GetName()]
		delete(streams, tool.GetName())
		if !known || tool.GetKind() != toolv1.ToolKind_TOOL_KIND_DATA_SOURCE || tool.GetRisk() != toolv1.RiskClass_RISK_CLASS_READ_ONLY ||
			tool.GetStreaming() != streaming || !tool.GetConcurrency().GetSafe() || tool.GetDefaultTimeout().AsDuration().Seconds() != 30 {
			t.Errorf("not the catalog's: %v", tool)
		}
	}
	if len(streams) > 0 {
		t.Errorf("missing: %v", streams)
	}
}

func TestAPageBecomesMarkdownBetweenMarks(t *testing.T) {
	plugin, url := open(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>Hi</title><h1>Hello</h1><p>Read <a href='/more'>more</a></p><script>no()</script>")
	})
	terminal, err := plugin.Invoke(context.Background(), call(t, "web_fetch", map[string]any{"url": url}), nil)
	if err != nil || terminal.GetError() != nil {
		t.Fatalf("%v, %v", terminal, err)
	}
	page := kerneltest.Read[struct {
		Operation, Title, Content string
		Status                    int
	}](t, terminal.GetResult().GetPayload())
	if page.Operation != "web_fetch" || page.Status != 200 || !strings.HasPrefix(page.Content, "<untrusted-") ||
		!strings.Contains(page.Content, "# Hello\n\nRead [more]("+url+"/more)") || strings.Contains(page.Content, "no()") {
		t.Errorf("the page is %+v", page)
	}
}

func TestWhatIsNotAllowedIsRefused(t *testing.T) {
	plugin, url := open(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	for target, words := range map[string]string{
		url: "metadata service", "http://example.com/": "not on the list", "http://localhost/": "names this machine",
	} {
		terminal, err := plugin.Invoke(context.Background(), call(t, "web_fetch", map[string]any{"url": target}), nil)
		failure := terminal.GetError()
		if err != nil || failure.GetCategory() != toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED ||
			!strings.Contains(failure.GetMessage(), words) {
			t.Errorf("%s gave %v, %v", target, terminal, err)
		}
	}
}

func TestACancelledFetchClosesItsConnection(t *testing.T) {
	asked, closed := make(chan struct{}), make(chan struct{})
	plugin, url := open(t, func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(closed)
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-asked; cancel() }()
	if terminal, err := plugin.Invoke(ctx, call(t, "web_fetch", map[string]any{"url": url}), nil); err == nil && terminal.GetResult() != nil {
		t.Errorf("a cancelled call gave %v", terminal)
	}
	<-closed
}
