// Command kernelhost brings a tool plugin up as the agent kernel does, runs the calls of a JSON file, ends the
// plugin, and prints every event between them as one line of JSON on standard output.
//
//	kernelhost -plugin dist/plugin-tool-filesystem -config '{"roots":["."]}' -calls calls.json
//
// The exit code is 0 where the plugin came up, kept the protocol in every call and ended with 0 by itself, 1 where
// it did not, and 2 where the arguments cannot be used. An operation that fails in-band has kept the protocol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

type arguments struct {
	options   kernel.Options
	script    script
	hold      bool
	killAfter time.Duration
}

func main() {
	given, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kernelhost:", err)
		os.Exit(2)
	}
	if !run(given, newPrinter(os.Stdout)) {
		os.Exit(1)
	}
}

func parse(args []string) (arguments, error) {
	var given arguments
	var config, calls, versions string
	flags := flag.NewFlagSet("kernelhost", flag.ContinueOnError)
	options := &given.options
	flags.StringVar(&options.Path, "plugin", "", "the plugin's binary; required")
	flags.StringVar(&config, "config", "{}", "the provider block as JSON, or @file")
	flags.StringVar(&calls, "calls", "", "a JSON file of calls; see README.md")
	flags.StringVar(&versions, "versions", "", "application versions to offer, such as 1,2 (default 1)")
	flags.BoolVar(&options.AutoMTLS, "automtls", false, "ask for mutual TLS")
	flags.BoolVar(&options.Multiplex, "mux", false, "ask for broker multiplexing")
	flags.BoolVar(&options.LegacyLog, "legacy-log", false, "answer an error to Log, as the kernels of July 2026 do")
	flags.BoolVar(&options.ProbeCategories, "probe-categories", false, "start the binary once per category until one answers")
	flags.StringVar(&options.CookieValue, "cookie", "", "a cookie value other than the right one")
	flags.BoolVar(&given.hold, "hold", false, "after the calls keep the plugin until SIGINT or SIGTERM")
	flags.DurationVar(&given.killAfter, "kill-after", 0, "end the plugin this long after it came up, whatever runs (default: after the calls)")
	if err := flags.Parse(args); err != nil {
		return given, err
	}
	if options.Path == "" || flags.NArg() > 0 {
		return given, errors.New("give the plugin with -plugin, and nothing without a flag; -h lists the flags")
	}
	var err error
	if options.Config, err = readConfig(config); err != nil {
		return given, fmt.Errorf("-config: %w", err)
	}
	if options.Versions, err = parseVersions(versions); err != nil {
		return given, fmt.Errorf("-versions: %w", err)
	}
	if given.script, err = readScript(calls); err != nil {
		return given, fmt.Errorf("-calls: %w", err)
	}
	return given, nil
}

func readConfig(text string) (*structpb.Struct, error) {
	content := []byte(text)
	if path, ok := strings.CutPrefix(text, "@"); ok {
		var err error
		if content, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	config := &structpb.Struct{}
	return config, protojson.Unmarshal(content, config)
}

func parseVersions(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var versions []int
	for text := range strings.SplitSeq(list, ",") {
		version, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		versions = append(versions, version)
	}
	return versions, nil
}

// run is the whole life of the plugin and says whether all was well.
func run(given arguments, out *printer) bool {
	// Not the context of the launch: it would SIGKILL the plugin, where a person's Ctrl-C wants an orderly end.
	interrupted, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	given.options.Observe = out.event
	plugin, err := kernel.Launch(context.Background(), given.options)
	if err != nil {
		out.line("launch_failed", kernel.FailureOf(err))
		return false
	}
	out.line("ready", struct{}{})

	done, finish := context.WithCancel(interrupted)
	defer finish()
	if given.killAfter > 0 {
		timer := time.AfterFunc(given.killAfter, func() { plugin.Close(context.Background()) })
		defer timer.Stop()
	}
	kept := given.script.run(done, plugin, out)
	if given.hold {
		<-interrupted.Done()
	}
	return plugin.Close(context.Background()).Code == 0 && kept
}
