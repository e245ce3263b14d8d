package conformanceplugin

import (
	"context"
	"encoding/json"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/event/v1"
	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Render shows a call or a result that was stored, perhaps by another version of this plugin: it relies on no field.
func (*service) Render(_ context.Context, request *toolv1.RenderRequest) (*toolv1.RenderResponse, error) {
	if request.GetSchemaVersion() != "1" {
		return nil, statusOf(invalid("schema_version: %q is not known; this version renders \"1\"", request.GetSchemaVersion()))
	}
	root, err := rendered(request.GetPayload())
	if err != nil {
		return nil, statusOf(err)
	}
	return &toolv1.RenderResponse{Tree: &renderv1.RenderTree{Root: root}}, nil
}

// rendered tells the two kinds of event by their fields: a result has an outcome, a call has only itself.
func rendered(payload []byte) (*renderv1.RenderNode, error) {
	result := &eventv1.ToolResultEvent{}
	if proto.Unmarshal(payload, result) == nil && result.GetOutcome() != nil {
		if failure := result.GetError(); failure != nil {
			return errorNode(failure.GetCategory().String() + ": " + failure.GetMessage()), nil
		}
		return shown("result", result.GetResult().GetPayload())
	}
	event := &eventv1.ToolCallEvent{}
	if proto.Unmarshal(payload, event) == nil && event.GetCall().GetToolName() != "" {
		return shown(event.GetCall().GetToolName(), event.GetCall().GetArguments())
	}
	return nil, invalid("payload: it is neither a ToolCallEvent nor a ToolResultEvent")
}

// shown uses encoding/json because protojson varies its spaces from build to build.
func shown(title string, payload *structpb.Struct) (*renderv1.RenderNode, error) {
	if operation := payload.GetFields()["operation"].GetStringValue(); operation != "" {
		title = operation
	}
	content, err := json.MarshalIndent(payload.AsMap(), "", "  ")
	if err != nil {
		return nil, invalid("payload: %v", err)
	}
	return group(textNode(title), code("json", string(content))), nil
}
