package kernel

import (
	"context"
	"syscall"
	"time"
)

// closeLimit is what the kernel gives a plugin to end, go-plugin's own two seconds included.
const closeLimit = 5 * time.Second

// Close ends the plugin as the kernel does: Client.Kill (Shutdown, two seconds, SIGKILL) for at most five
// seconds or until ctx ends, then SIGKILL of the process, then a wait for Kill without a limit. Later calls give
// the first one's answer.
func (p *Plugin) Close(ctx context.Context) Exited {
	p.close.Do(func() {
		began := time.Now()
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			p.client.Kill()
		}()
		limit := time.NewTimer(closeLimit)
		defer limit.Stop()
		select {
		case <-killed:
		case <-limit.C:
		case <-ctx.Done():
		}
		p.kill()
		<-killed
		p.exited = p.howItEnded(time.Since(began))
		p.options.observe(p.exited)
	})
	return p.exited
}

func (p *Plugin) howItEnded(took time.Duration) Exited {
	exited := Exited{Code: -1, KillMS: took.Milliseconds()}
	state := p.cmd.ProcessState
	if state == nil {
		return exited // never started
	}
	exited.PID = state.Pid()
	exited.Code = state.ExitCode()
	if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		exited.Signal = wait.Signal().String()
	}
	return exited
}
