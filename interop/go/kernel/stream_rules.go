package kernel

import (
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// ViolationError is a call whose stream broke a rule of the protocol.
type ViolationError struct{ Rule string }

func (e *ViolationError) Error() string { return "the plugin broke the protocol: " + e.Rule }

// streamRules holds one stream to the protocol: exactly one result or error, last; at most one exit status;
// nothing before the end where the operation does not stream; a result that fits the output schema.
type streamRules struct {
	schema   *toolv1.ToolSchema
	exited   bool
	terminal *toolv1.ToolEvent
}

func (r *streamRules) next(event *toolv1.ToolEvent) error {
	if r.terminal != nil {
		return &ViolationError{fmt.Sprintf("%T after the terminal event", event.GetEvent())}
	}
	switch kind := event.GetEvent().(type) {
	case nil:
		return &ViolationError{"an event without a member"}
	case *toolv1.ToolEvent_Error:
		r.terminal = event
		return nil
	case *toolv1.ToolEvent_Result:
		r.terminal = event
		return r.checkPayload(kind.Result.GetPayload())
	case *toolv1.ToolEvent_ExitStatus_:
		if r.exited {
			return &ViolationError{"a second exit_status"}
		}
		r.exited = true
	}
	if !r.schema.GetStreaming() {
		return &ViolationError{fmt.Sprintf("%T from an operation that does not stream", event.GetEvent())}
	}
	return nil
}

func (r *streamRules) checkPayload(payload *structpb.Struct) error {
	if payload == nil {
		return &ViolationError{"a result without a payload"}
	}
	if err := conform(r.schema.GetOutputSchema(), structpb.NewStructValue(payload), "payload"); err != nil {
		return &ViolationError{err.Error()}
	}
	return nil
}

func (r *streamRules) end() (*toolv1.ToolEvent, error) {
	if r.terminal == nil {
		return nil, &ViolationError{"the stream ended without a result or an error"}
	}
	return r.terminal, nil
}
