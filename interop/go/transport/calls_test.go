package transport_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// [41] A deadline ends a call where it stands; the plugin goes on.
func TestADeadlineEndsACall(t *testing.T) {
	root := wideTree(t)
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	listing := call(t, root, "list_directory", map[string]any{"path": ".", "depth": 9.0})
	terminal, err := plugin.Invoke(ctx, listing, nil)
	category := terminal.GetError().GetCategory()
	if status.Code(err) != codes.DeadlineExceeded && category != toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_TIMEOUT {
		t.Errorf("the call gave %v, %v; want a timeout", terminal, err)
	}
	if terminal, err := plugin.Invoke(context.Background(), listing, nil); terminal.GetResult() == nil {
		t.Errorf("the next call gave %v, %v", terminal.GetError(), err)
	}
}

// [42] Cancelled at any moment, a write has happened or has not; nothing half is left, and the plugin goes on.
func TestACancelledWriteIsWholeOrNotAtAll(t *testing.T) {
	root := kerneltest.Temporary(t)
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	content := strings.Repeat("0123456789abcdef\n", 200_000)
	for i := range 40 {
		path := fmt.Sprintf("file-%d", i)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*2*time.Millisecond)
		terminal, err := plugin.Invoke(ctx, call(t, root, "write_file", map[string]any{"path": path, "content": content}), nil)
		cancel()
		if err == nil && terminal.GetResult() == nil {
			t.Logf("%s was refused in-band: %v", path, terminal.GetError())
		}
		if code := status.Code(err); err != nil && code != codes.DeadlineExceeded {
			t.Fatalf("%s gave %v", path, err)
		}
	}
	// Calls are executed in the order in which the plugin reads them, so this one sees the end of all others.
	if terminal, err := plugin.Invoke(context.Background(), call(t, root, "list_directory", map[string]any{"path": "."}), nil); terminal.GetResult() == nil {
		t.Fatalf("the next call gave %v, %v", terminal, err)
	}
	plugin.Close(context.Background())
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		written, err := os.ReadFile(filepath.Join(root, entry.Name()))
		if err != nil || string(written) != content || !strings.HasPrefix(entry.Name(), "file-") {
			t.Errorf("%s has %d bytes (%v), want %d or no file", entry.Name(), len(written), err, len(content))
		}
	}
}

// [43, 44] Failures outside Invoke are statuses with ErrorInfo and ToolError, whose text survives as it is.
func TestAStatusCarriesItsDetails(t *testing.T) {
	root := kerneltest.Temporary(t)
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	for name, provoke := range map[string]func() error{
		"an unknown schema version": func() error {
			_, err := plugin.Tool.Render(soon(t), &toolv1.RenderRequest{SchemaVersion: "é % \n 99"})
			return err
		},
		"bytes that are no event": func() error {
			_, err := plugin.Tool.Render(soon(t), &toolv1.RenderRequest{SchemaVersion: "1", Payload: []byte{0xff, 0xff}})
			return err
		},
		"wrong arguments": func() error {
			_, err := plugin.Preview(soon(t), call(t, root, "edit_file", map[string]any{"path": 7.0}))
			return err
		},
	} {
		failure := kernel.FailureOf(provoke())
		if failure.Code != "InvalidArgument" || failure.Reason != "invalid_arguments" || failure.Domain != "tool.pluggableharness.dev" {
			t.Errorf("%s gave %+v", name, failure)
		}
		if failure.ToolError == nil || failure.ToolError.Message.GetMessage() != failure.Message {
			t.Errorf("%s: the ToolError says %v, the status %q", name, failure.ToolError, failure.Message)
		}
	}
}

// [45] 20 MB in one message, there and on the disk.
func TestATwentyMegabyteWrite(t *testing.T) {
	root := kerneltest.Temporary(t)
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	content := bytes.Repeat([]byte("twenty bytes a line\n"), 1<<20)
	terminal, err := plugin.Invoke(context.Background(), call(t, root, "write_file", map[string]any{"path": "big", "content": string(content)}), nil)
	if terminal.GetResult() == nil {
		t.Fatalf("the write gave %v, %v", terminal.GetError(), err)
	}
	written, err := os.ReadFile(filepath.Join(root, "big"))
	if err != nil || !bytes.Equal(written, content) {
		t.Errorf("%d bytes were written (%v), want %d", len(written), err, len(content))
	}
}

// Two hundred calls at once, each with its own answer.
func TestTwoHundredConcurrentCalls(t *testing.T) {
	root := kerneltest.Temporary(t)
	plugin, journal := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	var calls sync.WaitGroup
	for i := range 200 {
		calls.Go(func() {
			name := fmt.Sprintf("file-%d", i)
			write := call(t, root, "write_file", map[string]any{"path": name, "content": name})
			if terminal, err := plugin.Invoke(context.Background(), write, nil); terminal.GetResult() == nil {
				t.Errorf("writing %s gave %v, %v", name, terminal.GetError(), err)
				return
			}
			read := call(t, root, "read_file", map[string]any{"path": name})
			terminal, err := plugin.Invoke(context.Background(), read, nil)
			content := terminal.GetResult().GetPayload().GetFields()["content"].GetStringValue()
			if !strings.Contains(content, name) {
				t.Errorf("reading %s gave %q, %v", name, content, err)
			}
		})
	}
	calls.Wait()
	noComplaint(t, journal)
}
