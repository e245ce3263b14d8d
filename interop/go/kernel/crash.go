package kernel

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// CrashError is a call that failed because the plugin's process is gone; the kernel makes it process_crashed.
type CrashError struct {
	Method string
	Err    error
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the plugin crashed during %s: %v", e.Method, e.Err)
}

func (e *CrashError) Unwrap() error { return e.Err }

func (p *Plugin) noteCrash(method string, err error) error {
	if status.Code(err) == codes.Unavailable && p.client.Exited() {
		return &CrashError{method, err}
	}
	return err
}

func (p *Plugin) noteCrashUnary(
	ctx context.Context, method string, request, reply any,
	conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	return p.noteCrash(method, invoke(ctx, method, request, reply, conn, options...))
}

func (p *Plugin) noteCrashStream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn,
	method string, open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, desc, conn, method, options...)
	if err != nil {
		return nil, p.noteCrash(method, err)
	}
	return crashNotingStream{stream, method, p}, nil
}

type crashNotingStream struct {
	grpc.ClientStream
	method string
	plugin *Plugin
}

func (s crashNotingStream) RecvMsg(message any) error {
	return s.plugin.noteCrash(s.method, s.ClientStream.RecvMsg(message))
}
