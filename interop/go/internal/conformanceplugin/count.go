package conformanceplugin

import (
	"fmt"
	"time"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

func count(call *call) (payload, error) {
	to, err := wholeNumber(call.arguments, "to")
	if err != nil {
		return nil, err
	}
	delay, err := wholeNumber(call.arguments, "delay_ms")
	if err != nil {
		return nil, err
	}
	for step := 1; step <= to; step++ {
		if err := pause(call, time.Duration(delay)*time.Millisecond); err != nil {
			return nil, err
		}
		fraction := float64(step) / float64(to)
		progress := &toolv1.ToolEvent_Progress{Message: fmt.Sprintf("%d of %d", step, to), FractionComplete: &fraction}
		if err := call.send(&toolv1.ToolEvent{Event: &toolv1.ToolEvent_Progress_{Progress: progress}}); err != nil {
			return nil, err
		}
	}
	return payload{"counted": float64(to)}, nil
}

func pause(call *call, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return call.ctx.Err()
	case <-call.ctx.Done():
		return call.ctx.Err()
	}
}
