package transport_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
)

// [39] A host that is killed says nothing. Whenever it happens, the plugin and its socket are gone soon after.
func TestThePluginGoesWithItsHost(t *testing.T) {
	for name, test := range map[string]struct {
		after string
		busy  bool
	}{
		"between the handshake and the first call": {"handshake", false},
		"during the launch":                        {"described", false},
		"while it is idle":                         {"preview_probe", false},
		"while calls run":                          {"ready", true},
	} {
		t.Run(name, func(t *testing.T) {
			root := wideTree(t)
			temporary := kerneltest.Temporary(t)
			config := `{"roots":[` + quoted(t, root) + `]}`
			args := []string{"-plugin", kerneltest.PluginUnderTest(t), "-config", config, "-hold"}
			if test.busy {
				args = append(args, "-calls", manyListings(t, root))
			}
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + temporary, "TMPDIR=" + temporary}
			host := kerneltest.StartHost(t, root, env, args...)

			var pid int
			var socket string
			for _, line := range host.Until(t, test.after) {
				if line.Event == "handshake" {
					pid, socket = line.PID, line.Address
				}
			}
			t.Cleanup(func() {
				if t.Failed() {
					killed(t, pid)
				}
			})
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			host.Wait()

			kerneltest.Eventually(t, "the plugin's process is gone", func() bool { return !kerneltest.Alive(pid) })
			if folder := filepath.Dir(socket); folder != temporary {
				if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the socket's folder is still there: %v", err)
				}
			}
			if _, err := os.Lstat(socket); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the socket is still there: %v", err)
			}
		})
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	json, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(json)
}

// manyListings writes a script of parallel calls that take longer than the test needs to kill the host.
func manyListings(t *testing.T, root string) string {
	t.Helper()
	step := map[string]any{
		"tool_name":    "list_directory",
		"arguments":    map[string]any{"path": root, "depth": 9},
		"call_context": map[string]any{"session_id": "s", "turn_id": "t", "working_directory": root},
	}
	steps := make([]any, 100)
	for i := range steps {
		steps[i] = step
	}
	content, err := json.Marshal(map[string]any{"parallel": true, "calls": steps})
	path := filepath.Join(root, "calls.json")
	if err == nil {
		err = os.WriteFile(path, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
