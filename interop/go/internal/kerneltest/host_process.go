package kerneltest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// HostProcess is kernelhost as a process of its own, which can be killed.
type HostProcess struct {
	Process *os.Process
	lines   *bufio.Scanner
	wait    func() error
}

// HostLine is one line that kernelhost printed; the fields a test needs are decoded.
type HostLine struct {
	Event   string `json:"event"`
	PID     int    `json:"pid"`
	Address string `json:"address"`
	Code    any    `json:"code"`
	text    string
}

func (l HostLine) String() string { return l.text }

// StartHost runs kernelhost in a folder, with exactly the environment given.
func StartHost(t *testing.T, folder string, env []string, args ...string) *HostProcess {
	t.Helper()
	cmd := exec.Command(Build(t, "cmd/kernelhost"), args...)
	cmd.Dir, cmd.Env = folder, env
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 64<<20)
	host := &HostProcess{cmd.Process, lines, cmd.Wait}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // an error says that it is gone already
	return host
}

// Until reads lines up to one event, and gives them. The end of the output before it fails the test.
func (h *HostProcess) Until(t *testing.T, event string) []HostLine {
	t.Helper()
	var read []HostLine
	for h.lines.Scan() {
		line := HostLine{text: h.lines.Text()}
		if err := json.Unmarshal(h.lines.Bytes(), &line); err != nil {
			t.Fatalf("kernelhost printed %q: %v", line.text, err)
		}
		read = append(read, line)
		if line.Event == event {
			return read
		}
	}
	t.Fatalf("kernelhost ended without %q (%v) after %v", event, h.lines.Err(), read)
	return nil
}

// Wait waits for the process and gives its exit code, -1 after a signal.
func (h *HostProcess) Wait() int {
	for h.lines.Scan() {
		// What is left must be read, or the process could not write it.
	}
	err := h.wait()
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// Alive says whether a process runs. A zombie, whose parent has died and which no one has waited for, does not.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true // a system without /proc
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
