package main

import (
	"context"
	"os"
	"path/filepath"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// The defects of Preview.

// writing tries out what it is asked to preview.
type writing struct{ toolv1.ToolServiceServer }

func previewWrites(good toolv1.ToolServiceServer) toolv1.ToolServiceServer { return &writing{good} }

func (w *writing) Preview(ctx context.Context, request *toolv1.PreviewRequest) (*toolv1.PreviewResponse, error) {
	preview, err := w.ToolServiceServer.Preview(ctx, request)
	if err == nil && request.GetCall().GetToolName() == "append_note" {
		fields := request.GetCall().GetArguments().GetFields()
		path := filepath.Join(request.GetCall().GetCallContext().GetWorkingDirectory(), fields["path"].GetStringValue())
		err = os.WriteFile(path, []byte(fields["text"].GetStringValue()), 0o644)
	}
	return preview, err
}

// panicking takes for granted that a request has a call, as only the kernel's probe has none.
type panicking struct{ toolv1.ToolServiceServer }

func previewPanics(good toolv1.ToolServiceServer) toolv1.ToolServiceServer { return &panicking{good} }

func (p *panicking) Preview(ctx context.Context, request *toolv1.PreviewRequest) (*toolv1.PreviewResponse, error) {
	if request.Call.Arguments.Fields == nil {
		return &toolv1.PreviewResponse{}, nil
	}
	return p.ToolServiceServer.Preview(ctx, request)
}
