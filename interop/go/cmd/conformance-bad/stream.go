package main

import (
	"context"
	"sync"

	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// The defects of Invoke. Each stands between the good plugin and the stream that it sends to.

type invokeStream = toolv1.ToolService_InvokeServer

// tampered is a tool service whose Invoke has another stream.
type tampered struct {
	toolv1.ToolServiceServer
	invoke func(*toolv1.InvokeRequest, invokeStream) error
}

func (t *tampered) Invoke(request *toolv1.InvokeRequest, stream invokeStream) error {
	return t.invoke(request, stream)
}

// sender is a stream with another Send.
type sender struct {
	invokeStream
	send func(*toolv1.InvokeResponse) error
}

func (s *sender) Send(response *toolv1.InvokeResponse) error { return s.send(response) }

// status answers a failure as Go's own services do: by returning an error.
func status(good toolv1.ToolServiceServer) toolv1.ToolServiceServer {
	return &tampered{good, func(request *toolv1.InvokeRequest, stream invokeStream) error {
		return good.Invoke(request, &sender{stream, func(response *toolv1.InvokeResponse) error {
			if failure := response.GetEvent().GetError(); failure != nil {
				return grpcstatus.Error(codes.Internal, failure.GetMessage())
			}
			return stream.Send(response)
		}})
	}}
}

// twoResults forgets to return after it has sent its result.
func twoResults(good toolv1.ToolServiceServer) toolv1.ToolServiceServer {
	return &tampered{good, func(request *toolv1.InvokeRequest, stream invokeStream) error {
		return good.Invoke(request, &sender{stream, func(response *toolv1.InvokeResponse) error {
			if response.GetEvent().GetResult() != nil {
				if err := stream.Send(response); err != nil {
					return err
				}
			}
			return stream.Send(response)
		}})
	}}
}

// wrongOutput marshals a struct whose tags are not the schema's names: `operation` becomes `Operation`.
func wrongOutput(good toolv1.ToolServiceServer) toolv1.ToolServiceServer {
	return &tampered{good, func(request *toolv1.InvokeRequest, stream invokeStream) error {
		return good.Invoke(request, &sender{stream, func(response *toolv1.InvokeResponse) error {
			if fields := response.GetEvent().GetResult().GetPayload().GetFields(); fields != nil {
				fields["Operation"] = fields["operation"]
				delete(fields, "operation")
			}
			return stream.Send(response)
		}})
	}}
}

// unfinished is the calls that main waits for, however long they take: with uncancellable that is long.
var unfinished sync.WaitGroup

// uncancellable runs its operations with context.Background(), and takes a failed Send for a hiccup.
func uncancellable(good toolv1.ToolServiceServer) toolv1.ToolServiceServer {
	return &tampered{good, func(request *toolv1.InvokeRequest, stream invokeStream) error {
		unfinished.Add(1)
		defer unfinished.Done()
		return good.Invoke(request, &deaf{stream})
	}}
}

type deaf struct{ invokeStream }

func (d *deaf) Context() context.Context { return context.WithoutCancel(d.invokeStream.Context()) }

func (d *deaf) Send(response *toolv1.InvokeResponse) error {
	_ = d.invokeStream.Send(response)
	return nil
}
