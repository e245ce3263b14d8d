package transport_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// maxKillMS is the target for Kill; go-plugin's SIGKILL comes at 2,000.
const maxKillMS = 1_000

// nothingLeft checks that neither the process nor its socket nor the socket's own folder is there.
func nothingLeft(t *testing.T, hands kernel.ShookHands) {
	t.Helper()
	if kerneltest.Alive(hands.PID) {
		t.Error("the process still runs")
	}
	for _, path := range []string{hands.Address, filepath.Dir(hands.Address)} {
		if path == os.TempDir() {
			continue // the socket has no folder of its own
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
}

func endedInOrder(t *testing.T, exited kernel.Exited) {
	t.Helper()
	if exited.Code != 0 || exited.Signal != "" || exited.KillMS >= maxKillMS {
		t.Errorf("the plugin ended as %+v, want exit code 0 within %d ms", exited, maxKillMS)
	}
}

// [34] Kill: exit code 0, well before the SIGKILL, nothing left, and not one complaint.
func TestKillEndsAnIdlePlugin(t *testing.T) {
	plugin, journal := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	endedInOrder(t, plugin.Close(context.Background()))
	nothingLeft(t, plugin.Hands)
	noComplaint(t, journal)
}

// [35, 36] Kill while calls run: the same, and every call ends.
func TestKillEndsABusyPlugin(t *testing.T) {
	root := wideTree(t)
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, root))
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			_, err := plugin.Invoke(context.Background(), call(t, root, "list_directory", map[string]any{"path": ".", "depth": 9.0}), nil)
			if code := status.Code(err); err != nil && code != codes.Unavailable && code != codes.Canceled {
				t.Errorf("a call under way ended with %v", err)
			}
		})
	}
	endedInOrder(t, plugin.Close(context.Background()))
	calls.Wait()
	nothingLeft(t, plugin.Hands)
}

// [37] Ctrl-C reaches the whole terminal group; the host decides what it means.
func TestSIGINTIsTheHostsBusiness(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	for range 3 {
		if err := syscall.Kill(plugin.Hands.PID, syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if err := plugin.Ping(); err != nil {
			t.Fatalf("after SIGINT: %v", err)
		}
	}
	endedInOrder(t, plugin.Close(context.Background()))
}

// [38] SIGTERM means what Shutdown means.
func TestSIGTERMEndsThePluginInOrder(t *testing.T) {
	plugin, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	if err := syscall.Kill(plugin.Hands.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	kerneltest.Eventually(t, "the process is gone", func() bool { return !kerneltest.Alive(plugin.Hands.PID) })
	endedInOrder(t, plugin.Close(context.Background()))
	nothingLeft(t, plugin.Hands)
}

// [48] Two plugins at once share nothing, not even an end.
func TestTwoPluginsDoNotClash(t *testing.T) {
	first, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	second, _ := kerneltest.Launch(t, kerneltest.Filesystem(t, kerneltest.Temporary(t)))
	if first.Hands.Address == second.Hands.Address {
		t.Fatalf("both listen on %s", first.Hands.Address)
	}
	endedInOrder(t, first.Close(context.Background()))
	if err := second.Ping(); err != nil {
		t.Errorf("the second went with the first: %v", err)
	}
	endedInOrder(t, second.Close(context.Background()))
}

// killed ends a process that a test made a plugin start. It may be gone already.
func killed(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Error(err)
	}
}
