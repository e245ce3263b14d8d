package main

import (
	"context"
	"fmt"
	"sync/atomic"

	grpcstatus "google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// leaking prints its whole configuration into its errors, "to make them easier to understand": the token too.
type leaking struct {
	toolv1.ToolServiceServer
	configured atomic.Value
}

func secret(good toolv1.ToolServiceServer) toolv1.ToolServiceServer {
	return &leaking{ToolServiceServer: good}
}

func (l *leaking) Configure(ctx context.Context, request *toolv1.ConfigureRequest) (*toolv1.ConfigureResponse, error) {
	config := fmt.Sprintf(" (with the configuration %v)", request.GetConfig().AsMap())
	l.configured.Store(config)
	response, err := l.ToolServiceServer.Configure(ctx, request)
	if err != nil {
		told := grpcstatus.Convert(err).Proto()
		told.Message += config
		return nil, grpcstatus.ErrorProto(told)
	}
	return response, nil
}

func (l *leaking) Invoke(request *toolv1.InvokeRequest, stream invokeStream) error {
	return l.ToolServiceServer.Invoke(request, &sender{stream, func(response *toolv1.InvokeResponse) error {
		config, configured := l.configured.Load().(string)
		if failure := response.GetEvent().GetError(); failure != nil && configured {
			failure.Message += config
		}
		return stream.Send(response)
	}})
}
