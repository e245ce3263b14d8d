// Command goodplugin is a tool plugin served by go-plugin itself: the reference the kernel package is tested
// against, and the answer to "what would a plugin in Go have done". Its one operation, echo, gives back its text,
// as often and as slowly as it is asked to.
package main

import (
	"os"

	"github.com/hashicorp/go-hclog"
	plugin "github.com/hashicorp/go-plugin"

	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

func main() {
	// The level and the form that go-plugin parses on the other side.
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: os.Stderr, JSONFormat: true})
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: kernel.Handshake,
		Plugins:         plugin.PluginSet{"tool": &toolPlugin{logger: logger}},
		GRPCServer:      plugin.DefaultGRPCServer,
		Logger:          logger,
	})
}
