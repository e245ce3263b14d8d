package kernel

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Categories are the plugin keys, in the order in which an unknown binary is tried.
var Categories = []string{"model", "tool", "context", "memory", "frontend", "widget", "slashcommand"}

// services has the service of each category. DescribeResponse has the same fields in all of them.
var services = map[string]string{
	"model":        "pluggableharness.model.v1.ModelService",
	"tool":         "pluggableharness.tool.v1.ToolService",
	"context":      "pluggableharness.context.v1.ContextService",
	"memory":       "pluggableharness.memory.v1.MemoryService",
	"frontend":     "pluggableharness.frontend.v1.FrontendService",
	"widget":       "pluggableharness.widget.v1.WidgetService",
	"slashcommand": "pluggableharness.slashcommand.v1.SlashCommandService",
}

// find starts the binary for the tool category or, where the category is not known, once per category until one
// answers Describe.
func find(ctx context.Context, options Options) (*Plugin, error) {
	if !options.ProbeCategories {
		return start(ctx, options, "tool")
	}
	for _, category := range Categories {
		p, err := start(ctx, options, category)
		if err != nil {
			return nil, fmt.Errorf("as %s: %w", category, err)
		}
		if p.DescribeAs(ctx, category) == codes.OK {
			return p, nil
		}
		p.Close(ctx)
	}
	return nil, fmt.Errorf("%s answers Describe of no category", options.Path)
}

// DescribeAs asks the plugin for its identity in a category and gives the code it answered.
func (p *Plugin) DescribeAs(ctx context.Context, category string) codes.Code {
	began := time.Now()
	method := "/" + services[category] + "/Describe"
	code := status.Code(p.Conn.Invoke(ctx, method, &toolv1.DescribeRequest{}, &toolv1.DescribeResponse{}))
	p.options.observe(Probed{category, code.String(), time.Since(began).Milliseconds()})
	return code
}
