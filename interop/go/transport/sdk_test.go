package transport_test

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// sdkFixture are the options for the SDK's own test plugin, which streams and calls back.
func sdkFixture(t *testing.T) kernel.Options {
	t.Helper()
	return kernel.Options{
		Path:   kerneltest.SDKFixture(t),
		Config: kerneltest.Struct(t, map[string]any{"greeting": "hello"}),
	}
}

func say(t *testing.T, mode string) *toolv1.ToolCall {
	return call(t, "/", "say", map[string]any{"text": "you", "mode": mode})
}

func textOf(terminal *toolv1.ToolEvent) string {
	return terminal.GetResult().GetPayload().GetFields()["text"].GetStringValue()
}

// [26] What a plugin logs while Configure runs arrives, under mutual TLS too.
func TestWhatConfigureLogsArrives(t *testing.T) {
	for name, tls := range map[string]bool{"in clear": false, "mutual TLS": true} {
		t.Run(name, func(t *testing.T) {
			options := sdkFixture(t)
			options.AutoMTLS = tls
			_, journal := kerneltest.Launch(t, options)
			logged := kerneltest.Await(t, journal, func(l kernel.Logged) bool { return l.Entry.Message.GetMessage() == "configured" })
			if depth := logged.Entry.Message.GetFields().GetFields()["depth"].GetNumberValue(); depth != 3 {
				t.Errorf("depth is %v: the attribute's default did not arrive", depth)
			}
			noComplaint(t, journal)
		})
	}
}

// A kernel that refuses Log disturbs nothing, and the entry is on stderr instead.
func TestWhatConfigureLogsIsNotLostOnALegacyKernel(t *testing.T) {
	options := sdkFixture(t)
	options.LegacyLog = true
	plugin, journal := kerneltest.Launch(t, options)
	kerneltest.Await(t, journal, func(wrote kernel.WroteStderr) bool { return wrote.Message == "configured" && wrote.Level == "info" })
	if terminal, err := plugin.Invoke(context.Background(), say(t, ""), nil); textOf(terminal) != "hello you" {
		t.Errorf("the next call gave %v, %v", terminal, err)
	}
}

// A call may ask the kernel and use the answer.
func TestACallAsksTheKernel(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, sdkFixture(t))
	terminal, err := plugin.Invoke(context.Background(), say(t, "session"), nil)
	if err != nil || textOf(terminal) != "depth 2" {
		t.Errorf("the call gave %v, %v", terminal, err)
	}
	kerneltest.Await(t, journal, func(called kernel.CalledBack) bool { return called.Method == "GetSession" })
}

// [32] A callback that is too large for the kernel fails that call and nothing else.
func TestACallbackThatIsTooLargeFailsOnlyItsCall(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, sdkFixture(t))
	terminal, err := plugin.Invoke(context.Background(), say(t, "emit 5 MB"), nil)
	if err != nil || terminal.GetError() == nil {
		t.Errorf("the call gave %v, %v; want an error in-band", terminal, err)
	}
	if terminal, err := plugin.Invoke(context.Background(), say(t, "session"), nil); textOf(terminal) != "depth 2" {
		t.Errorf("the next callback gave %v, %v", terminal, err)
	}
}

// [45] Many events, and large ones, arrive whole and in order.
func TestAStreamArrivesWholeAndInOrder(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, sdkFixture(t))
	for _, size := range []struct{ chunks, bytes int }{{0, 0}, {5000, 1 << 10}, {1, 20 << 20}} {
		var kinds strings.Builder
		received := 0
		stream := call(t, "/", "count", map[string]any{"chunks": float64(size.chunks), "bytes": float64(size.bytes)})
		terminal, err := plugin.Invoke(context.Background(), stream, func(event *toolv1.ToolEvent) {
			chunk := event.GetOutputChunk()
			if chunk == nil {
				fmt.Fprintf(&kinds, "%T ", event.GetEvent())
				return
			}
			received += len(chunk.GetData())
			if bytes.Count(chunk.GetData(), []byte("a")) != len(chunk.GetData()) {
				t.Error("a chunk holds other bytes than were sent")
			}
		})
		if err != nil || received != size.chunks*size.bytes {
			t.Errorf("%+v: %d bytes arrived, %v, %v", size, received, terminal, err)
		}
		if kinds.String() != "*toolv1.ToolEvent_Progress_ *toolv1.ToolEvent_Result " {
			t.Errorf("%+v: beside chunks came %s", size, kinds.String())
		}
	}
}

// [42] A cancelled stream: the generator ends, its last report comes by Log, and nothing is an error.
func TestACancelledStreamReportsByLog(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, sdkFixture(t))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream := call(t, "/", "count", map[string]any{"chunks": 1e6, "bytes": 1024.0, "pause_ms": 1.0})
	_, err := plugin.Invoke(ctx, stream, func(event *toolv1.ToolEvent) {
		if event.GetOutputChunk() != nil {
			cancel()
		}
	})
	if status.Code(err) != codes.Canceled {
		t.Errorf("the call gave %v, want Canceled", err)
	}
	ended := kerneltest.Await(t, journal, func(l kernel.Logged) bool { return l.Entry.Message.GetMessage() == "count ended" })
	if fields := ended.Entry.Message.GetFields().GetFields(); !fields["aborted"].GetBoolValue() || fields["call_id"].GetStringValue() != "call-1" {
		t.Errorf("the generator reported %v", fields)
	}
	kerneltest.Await(t, journal, func(l kernel.Logged) bool { return l.Entry.Message.GetMessage() == "after the cancel" })
	noComplaint(t, journal)
}

// A result that breaks its own schema never reaches the kernel.
func TestAResultThatBreaksItsSchemaIsThePluginsOwnError(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, sdkFixture(t))
	terminal, err := plugin.Invoke(context.Background(), call(t, "/", "broken", nil), nil)
	if category := terminal.GetError().GetCategory(); err != nil || category != toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_UNKNOWN {
		t.Errorf("the call gave %v, %v", terminal, err)
	}
}

// A crash: the running call fails, the reason is on stderr, the exit code tells.
func TestACrashIsToldAndFinal(t *testing.T) {
	for _, mode := range []string{"crash", "reject"} {
		plugin, journal := kerneltest.Launch(t, sdkFixture(t))
		if _, err := plugin.Invoke(context.Background(), say(t, mode), nil); status.Code(err) != codes.Unavailable {
			t.Errorf("%s: the call gave %v, want Unavailable", mode, err)
		}
		kerneltest.Await(t, journal, func(wrote kernel.WroteStderr) bool {
			return wrote.Level == "error" && strings.Contains(fmt.Sprint(wrote.Fields), "on purpose")
		})
		kerneltest.Eventually(t, "the process is gone", func() bool { return !kerneltest.Alive(plugin.Hands.PID) })
		if exited := plugin.Close(context.Background()); exited.Code == 0 || exited.Signal != "" {
			t.Errorf("%s: the plugin ended as %+v", mode, exited)
		}
		nothingLeft(t, plugin.Hands)
	}
}

// [40] A child that outlives its call holds none of the plugin's descriptors, so the host's Kill is not held up.
func TestAChildDoesNotHoldUpKill(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, sdkFixture(t))
	terminal, err := plugin.Invoke(context.Background(), say(t, "child"), nil)
	child, parsed := strconv.Atoi(textOf(terminal))
	if err != nil || parsed != nil || !kerneltest.Alive(child) {
		t.Fatalf("the call gave %v, %v", terminal, err)
	}
	t.Cleanup(func() { killed(t, child) })
	endedInOrder(t, plugin.Close(context.Background()))
}
