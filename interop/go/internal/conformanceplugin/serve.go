package conformanceplugin

import (
	"context"
	"errors"
	"math"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// lastCalls is how long calls may take to end once the server has stopped; the host waits for two seconds.
const lastCalls = time.Second

// Wrap puts something around the tool service: a defect.
type Wrap func(toolv1.ToolServiceServer) toolv1.ToolServiceServer

// Serve is the whole life of the plugin: the handshake, the calls, the end.
func Serve(wraps ...Wrap) {
	// The level and the form that go-plugin parses on the other side.
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Info, Output: os.Stderr, JSONFormat: true})
	tool := &toolPlugin{logger: logger, wraps: wraps, served: &service{}}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: kernel.Handshake,
		Plugins:         plugin.PluginSet{"tool": tool},
		GRPCServer:      newServer,
		Logger:          logger,
	})
	if tool.served.kernel == nil {
		// It could not listen and has said why. Its own exit code would be 0.
		os.Exit(1)
	}
	// go-plugin has closed the listener, which removes its socket; the calls know by their contexts.
	ended := make(chan struct{})
	go func() {
		tool.served.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(lastCalls):
	}
}

// newServer lifts gRPC's limit of 4 MiB, as go-plugin's own client does, and lets the server end with its host.
func newServer(options []grpc.ServerOption) *grpc.Server {
	life := newLife()
	server := grpc.NewServer(append(options,
		grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32), grpc.StatsHandler(life))...)
	go life.watch(server.Stop)
	return server
}

// toolPlugin is go-plugin's entry for the tool category.
type toolPlugin struct {
	plugin.NetRPCUnsupportedPlugin
	logger hclog.Logger
	wraps  []Wrap
	served *service
}

var _ plugin.GRPCPlugin = (*toolPlugin)(nil)

// GRPCServer registers the service.
func (p *toolPlugin) GRPCServer(broker *plugin.GRPCBroker, server *grpc.Server) error {
	p.served.kernel = newCallback(broker, p.logger)
	var outermost toolv1.ToolServiceServer = p.served
	for _, wrap := range p.wraps {
		outermost = wrap(outermost)
	}
	toolv1.RegisterToolServiceServer(server, outermost)
	return nil
}

// GRPCClient is the kernel's half.
func (*toolPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin dispenses nothing")
}
