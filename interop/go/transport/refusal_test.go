package transport_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	plugin "github.com/hashicorp/go-plugin"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// [1, 2] A wrong cookie: one friendly word, exit code 1, nothing left.
func TestAWrongCookieIsExplained(t *testing.T) {
	folder := kerneltest.Temporary(t)
	t.Setenv("TMPDIR", folder)
	options := kerneltest.Filesystem(t, folder)
	options.CookieValue = "wrong"
	journal, err := kerneltest.Refused(t, options)
	if !strings.Contains(err.Error(), "Failed to read any lines from plugin's stdout") {
		t.Errorf("the plugin wrote to stdout: %v", err)
	}
	if exited := kerneltest.Await(t, journal, func(kernel.Exited) bool { return true }); exited.Code != 1 {
		t.Errorf("the plugin ended as %+v, want exit code 1", exited)
	}
	if len(kerneltest.Events[kernel.WroteStderr](journal)) == 0 {
		t.Error("the plugin explained nothing on stderr")
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// [6, 7] The highest version both know; without one the plugin names its own and the host refuses.
func TestProtocolVersions(t *testing.T) {
	for name, test := range map[string]struct {
		offered []int
		refused bool
	}{
		"the kernel's":   {[]int{1}, false},
		"a newer host":   {[]int{1, 2}, false},
		"a distant host": {[]int{7, 1, 3}, false},
		"too new a host": {[]int{2}, true},
		"too old a host": {[]int{0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			// The refused plugin is killed by go-plugin at once, before it can remove its socket.
			t.Setenv("TMPDIR", kerneltest.Temporary(t))
			options := kerneltest.Filesystem(t, kerneltest.Temporary(t))
			options.Versions = test.offered
			if !test.refused {
				if launched, _ := kerneltest.Launch(t, options); launched.Hands.Version != 1 {
					t.Errorf("version %d was chosen, want 1", launched.Hands.Version)
				}
				return
			}
			journal, err := kerneltest.Refused(t, options)
			if !strings.Contains(err.Error(), "incompatible API version with plugin. Plugin version: 1") {
				t.Errorf("the launch failed with %v", err)
			}
			if exited := kerneltest.Events[kernel.Exited](journal); len(exited) != 1 || kerneltest.Alive(exited[0].PID) {
				t.Errorf("the plugin is not gone: %+v", exited)
			}
		})
	}
}

// [15] Multiplexing is declined in the handshake, so a host that insists on it fails cleanly and says why.
func TestMultiplexingIsDeclined(t *testing.T) {
	t.Setenv("TMPDIR", kerneltest.Temporary(t))
	options := kerneltest.Filesystem(t, kerneltest.Temporary(t))
	options.Multiplex = true
	journal, err := kerneltest.Refused(t, options)
	if !errors.Is(err, plugin.ErrGRPCBrokerMuxNotSupported) {
		t.Errorf("the launch failed with %v", err)
	}
	if exited := kerneltest.Events[kernel.Exited](journal); len(exited) != 1 || kerneltest.Alive(exited[0].PID) {
		t.Errorf("the plugin is not gone: %+v", exited)
	}
}

// A configuration that cannot work is refused by Configure, with the protocol's error details.
func TestAnUnusableRootIsRefusedByConfigure(t *testing.T) {
	options := kerneltest.Filesystem(t, "/does/not/exist")
	_, err := kerneltest.Refused(t, options)
	failure := kernel.FailureOf(err)
	if failure.Domain != "tool.pluggableharness.dev" || failure.ToolError == nil || failure.Reason == "" {
		t.Errorf("the status lacks its details: %+v", failure)
	}
	if !strings.Contains(failure.Message, "/does/not/exist") {
		t.Errorf("the message does not name the root: %q", failure.Message)
	}
}
