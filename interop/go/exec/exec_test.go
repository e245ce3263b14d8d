// Package exec_test drives the built exec plugin through the real go-plugin, as the kernel would: schema, output and
// exit status, cancellation, and a host that is killed. The plugin's own tests go deeper.
package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

func binary(t *testing.T) string {
	t.Helper()
	return filepath.Join(kerneltest.Repository(t), "plugins", "exec", "dist", "plugin-tool-exec")
}

func open(t *testing.T) (*kernel.Plugin, string) {
	t.Helper()
	root := kerneltest.Temporary(t)
	plugin, _ := kerneltest.Launch(t, kernel.Options{
		Path: binary(t), Config: kerneltest.Struct(t, map[string]any{"roots": []any{root}, "kill_grace_ms": 500}),
	})
	return plugin, root
}

func bash(t *testing.T, root, command string) *toolv1.ToolCall {
	t.Helper()
	return &toolv1.ToolCall{
		Id: "call-1", ToolName: "bash", Arguments: kerneltest.Struct(t, map[string]any{"command": command}),
		CallContext: &commonv1.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: root},
	}
}

func TestTheSchemaIsTheCatalogs(t *testing.T) {
	plugin, _ := open(t)
	type gate struct {
		streaming, safe, idempotent bool
		risk                        toolv1.RiskClass
		seconds                     float64
	}
	const high, moderate, readOnly = toolv1.RiskClass_RISK_CLASS_HIGH, toolv1.RiskClass_RISK_CLASS_MODERATE, toolv1.RiskClass_RISK_CLASS_READ_ONLY
	want := map[string]gate{
		"bash":       {true, false, false, high, 120},
		"exec_start": {false, false, false, high, 30},
		"exec_write": {false, true, false, high, 30},
		"exec_read":  {true, true, true, readOnly, 60},
		"exec_list":  {false, true, true, readOnly, 10},
		"exec_kill":  {false, true, true, moderate, 30},
	}
	for _, tool := range plugin.Schema.GetTools() {
		got := gate{tool.GetStreaming(), tool.GetConcurrency().GetSafe(), tool.GetIdempotent(), tool.GetRisk(), tool.GetDefaultTimeout().AsDuration().Seconds()}
		if got != want[tool.GetName()] {
			t.Errorf("%s is %+v", tool.GetName(), got)
		}
		delete(want, tool.GetName())
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestOutputThenExitStatusThenResult(t *testing.T) {
	plugin, root := open(t)
	var output bytes.Buffer
	var order []string
	terminal, err := plugin.Invoke(context.Background(), bash(t, root, "seq 1 100000; exit 3"), func(event *toolv1.ToolEvent) {
		if chunk := event.GetOutputChunk(); chunk != nil {
			output.Write(chunk.GetData())
			return
		}
		if status := event.GetExitStatus(); status != nil {
			order = append(order, fmt.Sprint("exit ", status.GetExitCode()))
		}
	})
	if err != nil || terminal.GetError() != nil {
		t.Fatalf("%v, %v", terminal, err)
	}
	var want strings.Builder
	for i := 1; i <= 100000; i++ {
		fmt.Fprintf(&want, "%d\r\n", i)
	}
	if output.String() != want.String() || len(order) != 1 || order[0] != "exit 3" {
		t.Errorf("%d bytes of %d, %v", output.Len(), want.Len(), order)
	}
}

func TestACancelledCommandLeavesNothing(t *testing.T) {
	plugin, root := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { waitForMarks(t, root, 1); cancel() }()
	if terminal, err := plugin.Invoke(ctx, bash(t, root, tree), nil); err == nil && terminal.GetResult() != nil {
		t.Errorf("a cancelled call gave %v", terminal)
	}
	kerneltest.Eventually(t, "the command is gone", func() bool { return len(processesIn(t, root)) == 0 })
}

// A host that is killed says nothing; 5 s later none of its sessions' processes is left.
func TestNothingOutlivesAKilledHost(t *testing.T) {
	root, temporary := kerneltest.Temporary(t), kerneltest.Temporary(t)
	var steps []any
	step := func(tool string) any {
		return map[string]any{
			"tool_name": tool, "arguments": map[string]any{"command": tree},
			"call_context": map[string]any{"session_id": "s", "turn_id": "t", "working_directory": root},
		}
	}
	for range 16 {
		steps = append(steps, step("exec_start"))
	}
	content, err := json.Marshal(map[string]any{"parallel": true, "calls": append(steps, step("bash"))})
	script := filepath.Join(temporary, "calls.json")
	if err == nil {
		err = os.WriteFile(script, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + temporary, "TMPDIR=" + temporary}
	host := kerneltest.StartHost(t, root, env, "-plugin", binary(t), "-config", fmt.Sprintf(`{"roots":[%q]}`, root), "-hold", "-calls", script)
	waitForMarks(t, root, 17)
	if running := len(processesIn(t, root)); running < 17*3 {
		t.Errorf("only %d processes run", running)
	}
	killed := time.Now()
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	host.Wait()
	for len(processesIn(t, root)) > 0 {
		if time.Since(killed) > 5*time.Second {
			t.Fatalf("still there after 5 s: %v", processesIn(t, root))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("all were gone %v after the host", time.Since(killed))
	kerneltest.Eventually(t, "the plugin's folders are gone", func() bool {
		left, err := filepath.Glob(filepath.Join(temporary, "plugin-exec-*"))
		return err == nil && len(left) == 0
	})
}

// tree is a plain child, one that left the session, and one that ignores the polite signals.
const tree = `setsid sleep 612 & (trap '' TERM HUP; while :; do sleep 0.3; done) & sleep 612 & touch mark-$$; wait`

func waitForMarks(t *testing.T, root string, count int) {
	kerneltest.Eventually(t, "the commands run", func() bool {
		marks, err := filepath.Glob(filepath.Join(root, "mark-*"))
		return err == nil && len(marks) == count
	})
}

// processesIn gives the processes whose working directory is the folder, the plugin and its host left out.
func processesIn(t *testing.T, folder string) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != folder {
			continue // gone in between
		}
		command, err := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
		if err == nil && len(command) > 0 && !bytes.Contains(command, []byte("plugin-tool-exec")) {
			found = append(found, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return found
}
