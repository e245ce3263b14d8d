// Command conformance-bad is the tool plugin `notes` of conformance-good with the defects that plugins written in Go
// tend to have, for the conformance kit to find. NOTES_DEFECT names one; README.md lists them. Without it the plugin
// has all that can be had together.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/pluggableharness/plugin-tools/interop/go/internal/conformanceplugin"
)

// defects is every defect by its name. A nil one is of main itself.
var defects = map[string]conformanceplugin.Wrap{
	"banner":         nil,
	"secret":         secret,
	"status":         status,
	"two_results":    twoResults,
	"wrong_output":   wrongOutput,
	"preview_writes": previewWrites,
	"preview_panics": previewPanics,
	"uncancellable":  uncancellable,
}

// together leaves out banner, which no host starts, and preview_panics, which ends the process at the first probe.
var together = []string{"secret", "status", "two_results", "wrong_output", "preview_writes", "uncancellable"}

func main() {
	chosen := together
	if name := os.Getenv("NOTES_DEFECT"); name != "" {
		if _, known := defects[name]; !known {
			fmt.Fprintf(os.Stderr, "NOTES_DEFECT: there is no defect %q; README.md lists them\n", name)
			os.Exit(1)
		}
		chosen = []string{name}
	}
	if slices.Contains(chosen, "banner") {
		fmt.Println("notes 1.0.0, ready to take notes")
	}
	var wraps []conformanceplugin.Wrap
	for _, name := range chosen {
		if wrap := defects[name]; wrap != nil {
			wraps = append(wraps, wrap)
		}
	}
	conformanceplugin.Serve(wraps...)
	unfinished.Wait()
}
