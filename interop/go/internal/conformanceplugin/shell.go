package conformanceplugin

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"syscall"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

const shellScript = `printf %s "$1"; [ "$2" = 0 ] || sleep "$2"`

// shellEcho runs the shell in a process group of its own and with no descriptor of the plugin's, so that nothing
// outlives the call and nothing holds the host's pipes open.
func shellEcho(call *call) (payload, error) {
	fields := call.arguments.GetFields()
	seconds, err := wholeNumber(call.arguments, "sleep_seconds")
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(call.ctx, "/bin/sh", "-c", shellScript, "sh", fields["text"].GetStringValue(), strconv.Itoa(seconds))
	command.Dir = call.workingDirectory
	command.Env = []string{"PATH=/usr/bin:/bin"}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	sent, outputErr := sendOutput(call, output)
	waitErr := command.Wait()
	if err := call.ctx.Err(); err != nil {
		call.report(fmt.Sprintf("cancelled: the shell was ended after %d bytes of output (%s)\n", sent, command.ProcessState))
		return nil, err
	}
	var exit *exec.ExitError
	if err := errors.Join(outputErr, waitErr); err != nil && !errors.As(waitErr, &exit) {
		return nil, err
	}
	code := command.ProcessState.ExitCode()
	exitStatus := &toolv1.ToolEvent_ExitStatus{ExitCode: int32(code)}
	if state, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && state.Signaled() {
		name := state.Signal().String()
		exitStatus.Signal = &name
	}
	if err := call.send(&toolv1.ToolEvent{Event: &toolv1.ToolEvent_ExitStatus_{ExitStatus: exitStatus}}); err != nil {
		return nil, err
	}
	return payload{"exit_code": float64(code)}, nil
}

// sendOutput sends what the shell prints until it has said all. It reads on where nobody takes it any more.
func sendOutput(call *call, output io.Reader) (sent int, err error) {
	buffer := make([]byte, 32*1024)
	for {
		length, readErr := output.Read(buffer)
		if length > 0 && err == nil {
			if err = call.send(chunk(buffer[:length])); err == nil {
				sent += length
			}
		}
		if errors.Is(readErr, io.EOF) {
			return sent, err
		}
		if readErr != nil {
			return sent, errors.Join(err, readErr)
		}
	}
}

func chunk(data []byte) *toolv1.ToolEvent {
	output := &toolv1.ToolEvent_OutputChunk{Stream: toolv1.OutputStream_OUTPUT_STREAM_STDOUT, Data: data}
	return &toolv1.ToolEvent{Event: &toolv1.ToolEvent_OutputChunk_{OutputChunk: output}}
}
