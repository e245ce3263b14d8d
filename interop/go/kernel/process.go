package kernel

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	plugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Plugin is one running process.
type Plugin struct {
	// Conn is the connection to the plugin's listener.
	Conn *grpc.ClientConn
	// Tool is the tool service on Conn.
	Tool toolv1.ToolServiceClient
	// Schema is what GetSchema answered.
	Schema *toolv1.GetSchemaResponse
	// HasPreview says whether Preview is implemented.
	HasPreview bool
	// Hands is what the handshake gave.
	Hands ShookHands

	options     Options
	cmd         *exec.Cmd
	client      *plugin.Client
	protocol    plugin.ClientProtocol
	kill        context.CancelFunc
	config      atomic.Pointer[structpb.Struct]
	configuring atomic.Bool
	close       sync.Once
	exited      Exited
}

// start runs the binary for one category and connects to it.
func start(ctx context.Context, options Options, category string) (*Plugin, error) {
	life, kill := context.WithCancel(ctx)
	cmd := exec.CommandContext(life, options.Path)
	cmd.Env = options.environment()
	p := &Plugin{options: options, cmd: cmd, kill: kill}

	plugins := plugin.PluginSet{category: dispensable{serve: p.serveCallbacks}}
	config := &plugin.ClientConfig{
		HandshakeConfig:     Handshake,
		Cmd:                 cmd,
		AllowedProtocols:    []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:              newLogger(options),
		AutoMTLS:            options.AutoMTLS,
		GRPCBrokerMultiplex: options.Multiplex,
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithChainUnaryInterceptor(p.noteCrashUnary),
			grpc.WithChainStreamInterceptor(p.noteCrashStream),
		},
	}
	offerVersions(config, plugins, options.Versions)
	if options.CookieValue != "" {
		config.MagicCookieValue = options.CookieValue
	}
	p.client = plugin.NewClient(config)
	if err := p.connect(ctx, category); err != nil {
		p.Close(ctx)
		return nil, err
	}
	return p, nil
}

// offerVersions makes go-plugin send the versions. It adds the handshake's own version to the others by itself.
func offerVersions(config *plugin.ClientConfig, plugins plugin.PluginSet, versions []int) {
	config.Plugins = plugins
	if len(versions) == 0 {
		return
	}
	config.ProtocolVersion = uint(versions[0])
	config.VersionedPlugins = make(map[int]plugin.PluginSet)
	for _, version := range versions {
		config.VersionedPlugins[version] = plugins
	}
}

func (p *Plugin) connect(ctx context.Context, category string) error {
	began := time.Now()
	if _, err := p.client.Start(); err != nil {
		return fmt.Errorf("handshake: %w", err)
	}
	reattach := p.client.ReattachConfig()
	p.Hands = ShookHands{
		PID:     reattach.Pid,
		Network: reattach.Addr.Network(),
		Address: reattach.Addr.String(),
		Version: p.client.NegotiatedVersion(),
		TookMS:  time.Since(began).Milliseconds(),
	}
	p.options.observe(p.Hands)

	protocol, err := p.dial(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	conn, err := protocol.Dispense(category)
	if err != nil {
		return fmt.Errorf("dispense: %w", err)
	}
	p.protocol = protocol
	p.Conn = conn.(*grpc.ClientConn) // dispensable gives nothing else
	p.Tool = toolv1.NewToolServiceClient(p.Conn)
	return nil
}

// dial opens the connection. A plugin whose first connection fails makes Client hang for ever in this
// configuration, which is the kernel's own: the call that reports the failure waits for a lock Client holds.
func (p *Plugin) dial(ctx context.Context) (plugin.ClientProtocol, error) {
	type answer struct {
		protocol plugin.ClientProtocol
		err      error
	}
	answered := make(chan answer, 1)
	go func() {
		protocol, err := p.client.Client()
		answered <- answer{protocol, err}
	}()
	select {
	case got := <-answered:
		return got.protocol, got.err
	case <-time.After(dialLimit):
		p.kill()
		return nil, errors.New("the first connection failed, and the kernel would hang in Launch")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// dialLimit is longer than grpc waits for the plugin's HTTP/2 settings.
const dialLimit = 30 * time.Second

// Ping asks the plugin's health service as go-plugin does.
func (p *Plugin) Ping() error { return p.protocol.Ping() }
