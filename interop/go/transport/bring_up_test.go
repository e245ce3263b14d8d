package transport_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// soon bounds what must be answered at once; a plugin that hangs would otherwise only time out.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// [3, 4, 16, 24] The launch, step by step, and no word of complaint from either side.
func TestThePluginComesUpInTheKernelsOrder(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	order := []string{"handshake", "described", "checksum", "schema", "configured", "preview_probe"}
	names := slices.DeleteFunc(journal.Names(), func(name string) bool { return !slices.Contains(order, name) })
	if !slices.Equal(names, order) {
		t.Errorf("order was %v, want %v", names, order)
	}
	if hands := plugin.Hands; hands.Network != "unix" || hands.Version != 1 {
		t.Errorf("the handshake gave %+v", hands)
	}
	noComplaint(t, journal)
}

func noComplaint(t *testing.T, journal *kerneltest.Journal) {
	t.Helper()
	for _, logged := range kerneltest.Events[kernel.HostLogged](journal) {
		if logged.Level == "warn" || logged.Level == "error" {
			t.Errorf("go-plugin complained: %+v", logged)
		}
	}
	for _, wrote := range kerneltest.Events[kernel.WroteStderr](journal) {
		if wrote.Level == "warn" || wrote.Level == "error" {
			t.Errorf("the plugin complained: %+v", wrote)
		}
	}
}

// [22] A service or method the plugin lacks, by whichever category it is asked.
func TestEveryOtherCategoryIsUnimplementedAtOnce(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	for _, category := range kernel.Categories {
		want := codes.Unimplemented
		if category == "tool" {
			want = codes.OK
		}
		if got := plugin.DescribeAs(soon(t), category); got != want {
			t.Errorf("Describe as %s gave %v, want %v", category, got, want)
		}
	}
	err := plugin.Conn.Invoke(soon(t), "/pluggableharness.tool.v1.ToolService/Nope", &toolv1.DescribeRequest{}, &toolv1.DescribeResponse{})
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("a method that does not exist gave %v, want Unimplemented", err)
	}
	if err := plugin.Ping(); err != nil {
		t.Error(err)
	}
}

func TestADevOverrideIsFoundByTryingCategories(t *testing.T) {
	// go-plugin's host forgets the callback socket of a plugin it ends before it has announced it.
	t.Setenv("TMPDIR", kerneltest.Temporary(t))
	options := kerneltest.Filesystem(t, kerneltest.Temporary(t))
	options.ProbeCategories = true
	_, journal := kerneltest.Launch(t, options)
	for _, exited := range kerneltest.Events[kernel.Exited](journal) {
		if exited.Code != 0 {
			t.Errorf("a process of the wrong category ended as %+v", exited)
		}
	}
}

func TestThePreviewProbeAnswersAndHurtsNothing(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	if !plugin.HasPreview {
		t.Error("Preview counts as unimplemented")
	}
	for name, request := range map[string]*toolv1.PreviewRequest{
		"no call":              {},
		"an empty call":        {Call: &toolv1.ToolCall{}},
		"an unknown operation": {Call: &toolv1.ToolCall{ToolName: "nope"}},
		"no arguments":         {Call: &toolv1.ToolCall{ToolName: "edit_file"}},
	} {
		_, err := plugin.Tool.Preview(soon(t), request)
		switch code := status.Code(err); code {
		case codes.Unimplemented, codes.DeadlineExceeded, codes.Unavailable, codes.Unknown:
			t.Errorf("%s gave %v", name, err)
		}
	}
	if err := plugin.Ping(); err != nil {
		t.Error(err)
	}
}

// [20, 21] What go-plugin's Ping asks, and what it never asks.
func TestHealth(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	if err := plugin.Ping(); err != nil {
		t.Errorf("Ping: %v", err)
	}
	health := grpc_health_v1.NewHealthClient(plugin.Conn)
	for _, service := range []string{"", "plugin"} {
		answer, err := health.Check(soon(t), &grpc_health_v1.HealthCheckRequest{Service: service})
		if answer.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("Check %q gave %v, %v", service, answer, err)
		}
	}
	_, err := health.Check(soon(t), &grpc_health_v1.HealthCheckRequest{Service: "nope"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("Check of an unknown service gave %v, want NotFound", err)
	}
}

// One file, started from anywhere with nothing but PATH and HOME.
func TestThePluginNeedsOnlyPathAndHome(t *testing.T) {
	elsewhere := kerneltest.Temporary(t)
	copied := filepath.Join(elsewhere, "copied")
	binary, err := os.ReadFile(kerneltest.PluginUnderTest(t))
	if err == nil {
		err = os.WriteFile(copied, binary, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + elsewhere}
	host := kerneltest.StartHost(t, elsewhere, env, "-plugin", copied, "-config", `{"roots":["."]}`)
	host.Until(t, "ready")
	if code := host.Wait(); code != 0 {
		t.Errorf("kernelhost ended with %d", code)
	}
}
