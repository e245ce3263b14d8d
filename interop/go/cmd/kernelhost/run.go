package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// run executes every call and says whether the plugin kept the protocol in all of them.
func (s script) run(ctx context.Context, plugin *kernel.Plugin, out *printer) bool {
	kept := make([]bool, len(s.Calls))
	var group sync.WaitGroup
	for i, step := range s.Calls {
		group.Go(func() { kept[i] = step.run(ctx, i, plugin, out) })
		if !s.Parallel {
			group.Wait()
		}
	}
	group.Wait()
	for _, ok := range kept {
		if !ok {
			return false
		}
	}
	return true
}

type (
	callLine struct {
		Call string                     `json:"call"`
		Body kernel.JSON[proto.Message] `json:"body"`
	}
	failureLine struct {
		Call   string `json:"call"`
		During string `json:"during"`
		kernel.Failure
	}
)

func (s step) run(ctx context.Context, index int, plugin *kernel.Plugin, out *printer) bool {
	call, err := s.call(index)
	if err != nil {
		return false // readScript made the same call once before
	}
	report := func(during string, err error) bool {
		out.line("status", failureLine{call.GetId(), during, kernel.FailureOf(err)})
		return keptProtocol(err)
	}
	kept := true
	if s.Preview {
		if tree, err := plugin.Preview(ctx, call); err != nil {
			kept = report("preview", err)
		} else {
			out.line("preview", callLine{call.GetId(), kernel.JSON[proto.Message]{Message: tree}})
		}
	}
	if s.Invoke != nil && !*s.Invoke {
		return kept
	}
	terminal, err := s.invoke(ctx, plugin, call, out)
	if err != nil {
		return report("invoke", err) && kept
	}
	if s.Render {
		tree, err := plugin.RenderOutcome(ctx, call.GetId(), terminal)
		if err != nil {
			return report("render", err) && kept
		}
		out.line("render", callLine{call.GetId(), kernel.JSON[proto.Message]{Message: tree}})
	}
	return kept
}

// invoke runs the call under the deadline and the cancellation the step asks for.
func (s step) invoke(
	ctx context.Context, plugin *kernel.Plugin, call *toolv1.ToolCall, out *printer,
) (*toolv1.ToolEvent, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.DeadlineMS > 0 {
		var expire context.CancelFunc
		ctx, expire = context.WithTimeout(ctx, time.Duration(s.DeadlineMS)*time.Millisecond)
		defer expire()
	}
	if s.CancelAfterMS != nil {
		timer := time.AfterFunc(time.Duration(*s.CancelAfterMS)*time.Millisecond, cancel)
		defer timer.Stop()
	}
	events := 0
	return plugin.Invoke(ctx, call, func(event *toolv1.ToolEvent) {
		out.line("tool_event", callLine{call.GetId(), kernel.JSON[proto.Message]{Message: event}})
		if events++; events == s.CancelAfterEvents {
			cancel()
		}
	})
}

// keptProtocol tells a plugin that failed, was cancelled or was killed from one that broke a rule. A crash shows
// in the exit code.
func keptProtocol(err error) bool {
	var violation *kernel.ViolationError
	return !errors.As(err, &violation)
}
