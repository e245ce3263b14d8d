// Command conformance-good is the tool plugin `notes` in Go, served by go-plugin itself: a plugin that keeps every
// rule, for the conformance kit to find nothing wrong with.
package main

import "github.com/pluggableharness/plugin-tools/interop/go/internal/conformanceplugin"

func main() { conformanceplugin.Serve() }
