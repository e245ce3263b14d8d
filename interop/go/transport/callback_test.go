package transport_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// cancelUntilTold cancels calls of a wide tree, later and later, until one of them was cancelled while it ran.
func cancelUntilTold(t *testing.T, plugin *kernel.Plugin, root string, told func() bool) {
	t.Helper()
	delay := time.Duration(0)
	kerneltest.Eventually(t, "the plugin tells of a cancelled call", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), delay)
		defer cancel()
		_, err := plugin.Invoke(ctx, call(t, root, "list_directory", map[string]any{"path": ".", "depth": 9.0}), nil)
		if code := status.Code(err); err != nil && code != codes.DeadlineExceeded && code != codes.Canceled {
			t.Fatalf("the call gave %v", err)
		}
		delay += time.Millisecond
		return told()
	})
}

// [26, 42] What a cancelled call did arrives by Log, with the call's session and id.
func TestACancelledCallIsToldByTheCallbackLog(t *testing.T) {
	root := wideTree(t)
	plugin, journal := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	cancelUntilTold(t, plugin, root, func() bool { return len(kerneltest.Events[kernel.Logged](journal)) > 0 })
	logged := kerneltest.Await(t, journal, func(kernel.Logged) bool { return true })
	if id := logged.Entry.Message.GetFields().GetFields()["call_id"].GetStringValue(); id != "call-1" {
		t.Errorf("the entry's call_id is %q: %v", id, logged.Entry.Message)
	}
	if logged.SessionID != "session-1" {
		t.Errorf("the entry's session is %q", logged.SessionID)
	}
	if logged.Entry.Message.GetTime() == nil || logged.Entry.Message.GetMessage() == "" {
		t.Errorf("the entry lacks its time or message: %v", logged.Entry.Message)
	}
}

// [46] A kernel that answers an error to Log does not disturb the plugin: its entries go to stderr instead, in
// the form that go-plugin parses.
func TestAKernelThatRefusesLogGetsTheEntriesOnStderr(t *testing.T) {
	root := wideTree(t)
	options := kerneltest.Filesystem(t, root)
	options.LegacyLog = true
	plugin, journal := kerneltest.Launch(t, options)
	cancelUntilTold(t, plugin, root, func() bool { return len(kerneltest.Events[kernel.WroteStderr](journal)) > 0 })
	for _, wrote := range kerneltest.Events[kernel.WroteStderr](journal) {
		// go-plugin gives a timestamp only to what it could parse; the rest is debug text.
		if _, parsed := wrote.Fields["timestamp"]; !parsed || strings.HasPrefix(wrote.Message, "{") {
			t.Errorf("go-plugin could not parse %+v", wrote)
		}
	}
	if err := plugin.Ping(); err != nil {
		t.Error(err)
	}
}
