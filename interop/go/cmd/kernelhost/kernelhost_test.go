package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

// scriptFile writes a file of calls.
func scriptFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(kerneltest.Temporary(t), "calls.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// host runs kernelhost on the reference plugin with a script, and gives what it said and its exit code.
func host(t *testing.T, text string, flags ...string) ([]string, int) {
	t.Helper()
	flags = append(flags, "-plugin", kerneltest.Build(t, "internal/goodplugin"), "-calls", scriptFile(t, text))
	cmd := exec.Command(kerneltest.Build(t, "cmd/kernelhost"), flags...)
	output, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return calls(t, output), cmd.ProcessState.ExitCode()
}

// calls puts the lines about calls in short: the call, and what happened.
func calls(t *testing.T, output []byte) []string {
	t.Helper()
	var told []string
	for line := range bytes.Lines(output) {
		var event struct {
			Event, Call, During, Code string
			Body                      map[string]json.RawMessage
		}
		// Other events have a code that is a number.
		if err := json.Unmarshal(line, &event); err != nil && !strings.Contains(string(line), `"event":"exit"`) {
			t.Fatalf("not a line of JSON: %q: %v", line, err)
		}
		switch event.Event {
		case "tool_event":
			for member := range event.Body {
				told = append(told, event.Call+" "+member)
			}
		case "status":
			told = append(told, fmt.Sprintf("%s %s %s", event.Call, event.During, event.Code))
		}
	}
	return told
}

func TestAScriptRunsItsCallsInOrder(t *testing.T) {
	told, code := host(t, `[
		{"tool_name": "echo", "arguments": {"text": "a", "times": 2}},
		{"tool_name": "echo", "arguments": {"text": "b"}, "preview": true, "render": true},
		{"tool_name": "echo", "arguments": {"text": "c"}, "preview": true, "invoke": false},
		{"tool_name": "nope"},
		{"tool_name": "echo", "arguments": {"text": "d", "times": 9, "pause_ms": 60000}, "deadline_ms": 20},
		{"tool_name": "echo", "arguments": {"text": "e", "times": 9, "pause_ms": 60000}, "cancel_after_ms": 0},
		{"tool_name": "echo", "arguments": {"text": "f"}}
	]`)
	want := []string{
		"call-1 output_chunk", "call-1 output_chunk", "call-1 result",
		"call-2 preview Unimplemented", "call-2 result", "call-2 render Unimplemented",
		"call-3 preview Unimplemented",
		"call-4 error",
		"call-5 invoke DeadlineExceeded",
		"call-6 invoke Canceled",
		"call-7 result",
	}
	if !slices.Equal(told, want) || code != 0 {
		t.Errorf("exit code %d, told\n%s\nwant\n%s", code, strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// The first call would hold up the second for ever, if they did not run at once.
func TestParallelCallsRunAtOnce(t *testing.T) {
	path := scriptFile(t, `{"parallel": true, "calls": [
		{"tool_name": "echo", "arguments": {"text": "a", "times": 9, "pause_ms": 600000}},
		{"tool_name": "echo", "arguments": {"text": "b"}}
	]}`)
	process := kerneltest.StartHost(t, ".", os.Environ(), "-plugin", kerneltest.Build(t, "internal/goodplugin"), "-calls", path)
	process.Until(t, "tool_event")
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	process.Until(t, "status")
	if code := process.Wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

func TestKillAfterEndsWhatRuns(t *testing.T) {
	told, code := host(t, `[{"tool_name": "echo", "arguments": {"text": "a", "times": 9, "pause_ms": 600000}}]`, "-kill-after", "50ms")
	// Whether the plugin's end or the host's own close of the connection is seen first is not for either to say.
	lost, closed := []string{"call-1 invoke Unavailable"}, []string{"call-1 invoke Canceled"}
	if !slices.Equal(told, lost) && !slices.Equal(told, closed) || code != 0 {
		t.Errorf("exit code %d, told %q, want %q or %q", code, told, lost, closed)
	}
}

func TestACallIsCancelledAfterSoManyEvents(t *testing.T) {
	told, code := host(t, `[{"tool_name": "echo", "arguments": {"text": "a", "times": 9, "pause_ms": 100}, "cancel_after_events": 2}]`)
	want := []string{"call-1 output_chunk", "call-1 output_chunk", "call-1 invoke Canceled"}
	if !slices.Equal(told, want) || code != 0 {
		t.Errorf("exit code %d, told %q, want %q", code, told, want)
	}
}

func TestWhatCannotBeUsedIsExitCodeTwo(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		flags  []string
	}{
		"a misspelled field":     {`[{"tool_name": "echo", "cancel_after_msec": 1}]`, nil},
		"arguments of one value": {`[{"tool_name": "echo", "arguments": 1}]`, nil},
		"no JSON":                {`calls`, nil},
		"a version in words":     {`[]`, []string{"-versions", "one"}},
		"a configuration's file": {`[]`, []string{"-config", "@/does/not/exist"}},
		"a stray argument":       {`[]`, []string{"-mux", "stray"}},
	} {
		if _, code := host(t, test.script, test.flags...); code != 2 {
			t.Errorf("%s: exit code %d, want 2", name, code)
		}
	}
}

func TestAFailedLaunchIsExitCodeOne(t *testing.T) {
	// go-plugin kills what it refuses, and a killed plugin leaves its socket behind.
	t.Setenv("TMPDIR", kerneltest.Temporary(t))
	if _, code := host(t, `[]`, "-versions", "2"); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}
