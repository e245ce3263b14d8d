package kernel

import (
	"os"

	"google.golang.org/protobuf/types/known/structpb"
)

// Options says which plugin to launch and how. The zero value of every field but Path is what the kernel does.
type Options struct {
	// Path is the plugin's binary, started without arguments.
	Path string
	// Config is the provider block, before defaults and zero values are filled in. nil is an empty block.
	Config *structpb.Struct
	// Env is added to what the kernel chooses, as agent.hcl can.
	Env []string
	// CookieValue replaces the right one.
	CookieValue string
	// Versions are the application versions offered; empty is {1}.
	Versions []int
	// AutoMTLS asks for mutual TLS, which the kernel does not do today.
	AutoMTLS bool
	// Multiplex asks for go-plugin's broker multiplexing, which the kernel does not do today.
	Multiplex bool
	// LegacyLog answers an error to a Log call in its present form, as the kernels of July 2026 do.
	LegacyLog bool
	// ProbeCategories starts the binary once per category until one answers Describe, as for dev_overrides.
	ProbeCategories bool
	// Observe is called with every event, from many goroutines at once. nil observes nothing.
	Observe func(Event)
}

func (o Options) observe(event Event) {
	if o.Observe != nil {
		o.Observe(event)
	}
}

// environment is the kernel's allowlist and what agent.hcl adds. go-plugin appends the host's whole environment
// to it, as SkipHostEnv is not set, so a plugin sees more; it must not depend on that.
func (o Options) environment() []string {
	env := []string{"OTEL_RESOURCE_ATTRIBUTES=pluggableharness.category=tool"}
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, o.Env...)
}
