// Package kernel does to a tool plugin what the agent kernel does, on the real hashicorp/go-plugin: it launches a
// process, shakes hands, serves the callback channel, asks for identity and schema, configures, probes Preview,
// calls and ends it. It exists for the interop tests, so it reports every step to an observer and holds a plugin
// to each rule of the protocol. It is not a kernel: it has no policy, no plan, no scheduling and no sessions.
package kernel
