package conformanceplugin

import (
	"context"
	"fmt"

	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Preview says what a call would do, from its words alone: it opens no file and starts no process.
func (s *service) Preview(_ context.Context, request *toolv1.PreviewRequest) (*toolv1.PreviewResponse, error) {
	if err := checkCall(request.GetCall()); err != nil {
		return nil, statusOf(err)
	}
	greeting := "hello"
	if config := s.config.Load(); config != nil {
		greeting = config.greeting
	}
	nodes := append([]*renderv1.RenderNode{textNode(greeting + ": this would happen")}, previewOf(request.GetCall())...)
	return &toolv1.PreviewResponse{Preview: &renderv1.RenderTree{Root: group(nodes...)}}, nil
}

func previewOf(call *toolv1.ToolCall) []*renderv1.RenderNode {
	fields := call.GetArguments().GetFields()
	path, text := fields["path"].GetStringValue(), fields["text"].GetStringValue()
	switch call.GetToolName() {
	case "read_note":
		return []*renderv1.RenderNode{textNode("read " + path)}
	case "append_note":
		return []*renderv1.RenderNode{textNode("append to " + path), code("", text)}
	case "shell_echo":
		return []*renderv1.RenderNode{textNode("let a shell print"), code("sh", text)}
	}
	return []*renderv1.RenderNode{textNode(fmt.Sprintf("count to %v", fields["to"].GetNumberValue()))}
}
