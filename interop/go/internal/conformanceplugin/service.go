package conformanceplugin

import (
	"context"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/types/known/structpb"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// service is the tool service.
type service struct {
	toolv1.UnimplementedToolServiceServer
	kernel *callback
	config atomic.Pointer[configuration]
	// running is the calls that have not ended; the process ends after them.
	running sync.WaitGroup
}

func (*service) Describe(context.Context, *toolv1.DescribeRequest) (*toolv1.DescribeResponse, error) {
	return &toolv1.DescribeResponse{Producer: &commonv1.ProducerRef{
		Name: "notes", Version: "1.0.0", Source: "github.com/pluggableharness/conformance-notes-go",
		Category: commonv1.Category_CATEGORY_TOOL, ProtocolVersion: 1,
	}}, nil
}

func (*service) GetSchema(context.Context, *toolv1.GetSchemaRequest) (*toolv1.GetSchemaResponse, error) {
	return &toolv1.GetSchemaResponse{Tools: tools, ConfigSchema: configSchema}, nil
}

func (s *service) Configure(_ context.Context, request *toolv1.ConfigureRequest) (*toolv1.ConfigureResponse, error) {
	s.kernel.open()
	config, err := configurationOf(request.GetConfig())
	if err != nil {
		return nil, statusOf(err)
	}
	s.config.Store(config)
	return &toolv1.ConfigureResponse{}, nil
}

// Invoke fails in-band: its status is always OK, unless there is nobody left to send to.
func (s *service) Invoke(request *toolv1.InvokeRequest, stream toolv1.ToolService_InvokeServer) error {
	s.running.Add(1)
	defer s.running.Done()
	send := func(event *toolv1.ToolEvent) error { return stream.Send(&toolv1.InvokeResponse{Event: event}) }
	result, err := s.run(request.GetCall(), stream.Context(), send)
	if err != nil {
		return send(&toolv1.ToolEvent{Event: &toolv1.ToolEvent_Error{Error: toolErrorOf(err)}})
	}
	return send(&toolv1.ToolEvent{Event: &toolv1.ToolEvent_Result{Result: result}})
}

func (s *service) run(
	request *toolv1.ToolCall, ctx context.Context, send func(*toolv1.ToolEvent) error,
) (*toolv1.ToolResult, error) {
	if err := checkCall(request); err != nil {
		return nil, err
	}
	config := s.config.Load()
	if config == nil {
		return nil, failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED, "notes has not been configured")
	}
	fields, err := operations[request.GetToolName()](&call{
		ctx: ctx, arguments: request.GetArguments(), root: config.root, send: send,
		workingDirectory: request.GetCallContext().GetWorkingDirectory(),
		report: func(text string) {
			// The host reads no more of a stream that it has reset: what must arrive goes to the kernel's log too.
			_ = send(chunk([]byte(text)))
			s.kernel.log(request.GetCallContext(), request.GetId()+": "+text)
		},
	})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fields["operation"] = request.GetToolName()
	payload, err := structpb.NewStruct(fields)
	return &toolv1.ToolResult{Payload: payload}, err
}

// checkCall is what Invoke and Preview demand of a call.
func checkCall(call *toolv1.ToolCall) error {
	if call.GetToolName() == "" {
		return invalid("tool_name: it is required")
	}
	tool := toolOf(call.GetToolName())
	if tool == nil {
		return failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND, "there is no operation %q", call.GetToolName())
	}
	return checkArguments(tool.GetInputSchema(), call.GetArguments())
}
