package kernel

import plugin "github.com/hashicorp/go-plugin"

// What the kernel and its plugins agree on before anything else.
const (
	CookieKey       = "PLUGGABLEHARNESS_AGENT_PLUGIN"
	CookieValue     = "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake"
	ProtocolVersion = 1

	// callbackBrokerID is where the kernel serves KernelCallbackService.
	callbackBrokerID = 1
)

// Handshake is the kernel's side of go-plugin's handshake; a plugin in Go serves with the same value.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  ProtocolVersion,
	MagicCookieKey:   CookieKey,
	MagicCookieValue: CookieValue,
}
