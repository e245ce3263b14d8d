package main

import (
	"context"
	"errors"
	"sync"

	"github.com/hashicorp/go-hclog"
	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// toolPlugin is go-plugin's entry for the tool category.
type toolPlugin struct {
	plugin.NetRPCUnsupportedPlugin
	logger hclog.Logger
}

var _ plugin.GRPCPlugin = (*toolPlugin)(nil)

// GRPCServer registers the service. It runs before the handshake, so nothing may be dialled here: go-plugin
// waits only five seconds for an announcement that comes after it.
func (p *toolPlugin) GRPCServer(broker *plugin.GRPCBroker, server *grpc.Server) error {
	toolv1.RegisterToolServiceServer(server, &echoService{kernel: newCallback(broker, p.logger)})
	return nil
}

// GRPCClient is the kernel's half.
func (*toolPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin dispenses nothing")
}

// callback is the kernel, dialled on first use.
type callback struct {
	dial   func() (kernelv1.KernelCallbackServiceClient, error)
	logger hclog.Logger
}

func newCallback(broker *plugin.GRPCBroker, logger hclog.Logger) *callback {
	return &callback{logger: logger, dial: sync.OnceValues(func() (kernelv1.KernelCallbackServiceClient, error) {
		conn, err := broker.Dial(1)
		if err != nil {
			return nil, err
		}
		return kernelv1.NewKernelCallbackServiceClient(conn), nil
	})}
}

// log hands an entry to the kernel. A kernel that does not take it is a remark on stderr and nothing more.
func (c *callback) log(ctx context.Context, message string) {
	client, err := c.dial()
	if err == nil {
		_, err = client.Log(ctx, &kernelv1.LogRequest{Entries: []*logv1.LogEntry{{
			Level: logv1.LogLevel_LOG_LEVEL_INFO, Logger: "echo", Message: message, Time: timestamppb.Now(),
		}}})
	}
	if err != nil {
		c.logger.Warn("the kernel took no log entry", "error", err.Error(), "message", message)
	}
}
