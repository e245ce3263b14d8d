package kernel

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/hashicorp/go-hclog"
)

// newLogger gives go-plugin a logger that reports what it receives: the plugin's standard error, which go-plugin
// parses and names after the binary, and go-plugin's own remarks.
func newLogger(options Options) hclog.Logger {
	logger := hclog.NewInterceptLogger(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Trace})
	logger.RegisterSink(&stderrSink{options})
	return logger
}

// stderrSink is a pointer wherever it is used: hclog keys a map by it.
type stderrSink struct{ options Options }

// Accept implements hclog.SinkAdapter.
func (s *stderrSink) Accept(name string, level hclog.Level, message string, args ...any) {
	if name == filepath.Base(s.options.Path) {
		s.options.observe(WroteStderr{level.String(), message, pairs(args)})
	} else {
		s.options.observe(HostLogged{level.String(), message, pairs(args)})
	}
}

// pairs makes a map of hclog's alternating keys and values. What has no JSON form becomes text.
func pairs(args []any) map[string]any {
	fields := make(map[string]any, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		value := args[i+1]
		switch value.(type) {
		case nil, bool, string, int, int64, float64, []any, map[string]any:
		default:
			value = fmt.Sprint(value)
		}
		fields[fmt.Sprint(args[i])] = value
	}
	return fields
}
