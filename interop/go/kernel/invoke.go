package kernel

import (
	"context"
	"errors"
	"io"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/event/v1"
	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// eventSchemaVersion is the version under which tool events are stored.
const eventSchemaVersion = "1"

// Invoke executes a call, hands every event to each as it comes, and gives the last one, a result or an error.
// Cancelling ctx resets the stream. An error is a gRPC status, a CrashError or a ViolationError.
func (p *Plugin) Invoke(
	ctx context.Context, call *toolv1.ToolCall, each func(*toolv1.ToolEvent),
) (*toolv1.ToolEvent, error) {
	stream, err := p.Tool.Invoke(ctx, &toolv1.InvokeRequest{Call: call})
	if err != nil {
		return nil, err
	}
	rules := streamRules{schema: p.operation(call.GetToolName())}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return rules.end()
		}
		if err != nil {
			return nil, err
		}
		event := response.GetEvent()
		if each != nil {
			each(event)
		}
		if err := rules.next(event); err != nil {
			return nil, err
		}
	}
}

// operation is the schema of an operation, nil where there is none of that name.
func (p *Plugin) operation(name string) *toolv1.ToolSchema {
	for _, tool := range p.Schema.GetTools() {
		if tool.GetName() == name {
			return tool
		}
	}
	return nil
}

// Preview asks what a call would do.
func (p *Plugin) Preview(ctx context.Context, call *toolv1.ToolCall) (*renderv1.RenderTree, error) {
	response, err := p.Tool.Preview(ctx, &toolv1.PreviewRequest{Call: call})
	return response.GetPreview(), err
}

// RenderOutcome draws the terminal event of a call the way the kernel does later, from the stored bytes.
func (p *Plugin) RenderOutcome(ctx context.Context, callID string, terminal *toolv1.ToolEvent) (*renderv1.RenderTree, error) {
	stored := &eventv1.ToolResultEvent{ToolCallId: callID}
	if failure := terminal.GetError(); failure != nil {
		stored.Outcome = &eventv1.ToolResultEvent_Error{Error: failure}
	} else {
		stored.Outcome = &eventv1.ToolResultEvent_Result{Result: terminal.GetResult()}
	}
	return p.Render(ctx, stored, eventSchemaVersion)
}

// Render draws a stored event.
func (p *Plugin) Render(ctx context.Context, stored proto.Message, schemaVersion string) (*renderv1.RenderTree, error) {
	payload, err := proto.Marshal(stored)
	if err != nil {
		return nil, err
	}
	response, err := p.Tool.Render(ctx, &toolv1.RenderRequest{Payload: payload, SchemaVersion: schemaVersion})
	return response.GetTree(), err
}
