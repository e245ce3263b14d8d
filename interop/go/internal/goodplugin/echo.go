package main

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	configv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/config/v1"
	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// echoService is the tool service. Render and Preview are left out, as a plugin may.
type echoService struct {
	toolv1.UnimplementedToolServiceServer
	kernel *callback
	prefix string
}

func (*echoService) Describe(context.Context, *toolv1.DescribeRequest) (*toolv1.DescribeResponse, error) {
	return &toolv1.DescribeResponse{Producer: &commonv1.ProducerRef{
		Name: "echo", Version: "1.0.0", Source: "github.com/pluggableharness/plugin-tools/goodplugin",
		Category: commonv1.Category_CATEGORY_TOOL, ProtocolVersion: 1,
	}}, nil
}

func (*echoService) GetSchema(context.Context, *toolv1.GetSchemaRequest) (*toolv1.GetSchemaResponse, error) {
	text := &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_STRING}
	number := &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_NUMBER}
	object := func(required []string, properties map[string]*schemav1.Schema) *schemav1.Schema {
		return &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_OBJECT, Properties: properties, Required: required}
	}
	prefix := `"> "`
	return &toolv1.GetSchemaResponse{
		Tools: []*toolv1.ToolSchema{{
			Name: "echo", Description: "Gives back its text.",
			Kind: toolv1.ToolKind_TOOL_KIND_DATA_SOURCE, Risk: toolv1.RiskClass_RISK_CLASS_READ_ONLY,
			InputSchema: object([]string{"text"}, map[string]*schemav1.Schema{
				"text": text, "times": number, "pause_ms": number,
			}),
			OutputSchema: object([]string{"operation", "text"}, map[string]*schemav1.Schema{
				"operation": text, "text": text,
			}),
			Streaming: true, Idempotent: true,
			Concurrency: &toolv1.ConcurrencySpec{Safe: true},
		}},
		ConfigSchema: &configv1.ConfigSchema{Attributes: []*configv1.ConfigAttribute{
			{Name: "prefix", Type: configv1.AttrType_ATTR_TYPE_STRING, DefaultJson: &prefix},
			{Name: "labels", Type: configv1.AttrType_ATTR_TYPE_LIST_STRING},
		}},
	}, nil
}

// Configure asks the kernel for the same configuration, to show that it may.
func (s *echoService) Configure(ctx context.Context, request *toolv1.ConfigureRequest) (*toolv1.ConfigureResponse, error) {
	client, err := s.kernel.dial()
	if err != nil {
		return nil, err
	}
	answer, err := client.GetConfig(ctx, &kernelv1.GetConfigRequest{})
	if err != nil {
		return nil, err
	}
	s.prefix = answer.GetConfig().GetFields()["prefix"].GetStringValue()
	if s.prefix != request.GetConfig().GetFields()["prefix"].GetStringValue() {
		return nil, status.Error(codes.Internal, "GetConfig and Configure differ")
	}
	s.kernel.log(ctx, "configured")
	return &toolv1.ConfigureResponse{}, nil
}

func (s *echoService) Invoke(request *toolv1.InvokeRequest, stream toolv1.ToolService_InvokeServer) error {
	call := request.GetCall()
	arguments := call.GetArguments().GetFields()
	if call.GetToolName() != "echo" {
		return send(stream, &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Error{Error: &toolv1.ToolError{
			Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND, Message: "there is only echo",
		}}})
	}
	text := s.prefix + arguments["text"].GetStringValue()
	pause := time.Duration(arguments["pause_ms"].GetNumberValue()) * time.Millisecond
	for range int(arguments["times"].GetNumberValue()) {
		if err := sendChunk(stream, text, pause); err != nil {
			s.kernel.log(context.Background(), "cancelled "+call.GetId())
			return err
		}
	}
	payload := &structpb.Struct{Fields: map[string]*structpb.Value{
		"operation": structpb.NewStringValue("echo"), "text": structpb.NewStringValue(text),
	}}
	return send(stream, &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Result{Result: &toolv1.ToolResult{Payload: payload}}})
}

func sendChunk(stream toolv1.ToolService_InvokeServer, text string, pause time.Duration) error {
	select {
	case <-time.After(pause):
	case <-stream.Context().Done():
		return stream.Context().Err()
	}
	chunk := &toolv1.ToolEvent_OutputChunk{Stream: toolv1.OutputStream_OUTPUT_STREAM_STDOUT, Data: []byte(text)}
	return send(stream, &toolv1.ToolEvent{Event: &toolv1.ToolEvent_OutputChunk_{OutputChunk: chunk}})
}

func send(stream toolv1.ToolService_InvokeServer, event *toolv1.ToolEvent) error {
	return stream.Send(&toolv1.InvokeResponse{Event: event})
}
