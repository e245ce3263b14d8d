package kernel

import (
	"context"
	"errors"

	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// dispensable is the kernel's entry in go-plugin's plugin map: dispensing it serves the callback channel.
type dispensable struct {
	plugin.NetRPCUnsupportedPlugin
	serve func([]grpc.ServerOption) *grpc.Server
}

var _ plugin.GRPCPlugin = dispensable{}

// GRPCServer is the plugin's half, which a kernel does not have.
func (dispensable) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("a kernel serves no plugin")
}

// GRPCClient announces the callback service and gives the connection.
func (d dispensable) GRPCClient(_ context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	go broker.AcceptAndServe(callbackBrokerID, d.serve)
	return conn, nil
}
