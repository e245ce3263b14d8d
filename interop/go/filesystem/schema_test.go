package filesystem_test

import (
	"slices"
	"testing"
	"time"

	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// The catalog's table: policies, plans and retries of a kernel depend on every cell.
func TestTheSchemaIsTheCatalogs(t *testing.T) {
	const (
		reads   = toolv1.ToolKind_TOOL_KIND_DATA_SOURCE
		changes = toolv1.ToolKind_TOOL_KIND_RESOURCE
	)
	path := []string{"path"}
	want := map[string]struct {
		kind       toolv1.ToolKind
		risk       toolv1.RiskClass
		keys       []string
		idempotent bool
		required   []string
	}{
		"read_file":      {reads, toolv1.RiskClass_RISK_CLASS_READ_ONLY, nil, true, path},
		"list_directory": {reads, toolv1.RiskClass_RISK_CLASS_READ_ONLY, nil, true, path},
		"write_file":     {changes, toolv1.RiskClass_RISK_CLASS_MODERATE, path, true, []string{"content", "path"}},
		"edit_file":      {changes, toolv1.RiskClass_RISK_CLASS_MODERATE, path, false, []string{"new_string", "old_string", "path"}},
		"multi_edit":     {changes, toolv1.RiskClass_RISK_CLASS_MODERATE, path, false, []string{"edits", "path"}},
		"undo_edit":      {changes, toolv1.RiskClass_RISK_CLASS_MODERATE, path, false, path},
	}
	tools := open(t).plugin.Schema.GetTools()
	if len(tools) != len(want) {
		t.Errorf("there are %d operations, want %d", len(tools), len(want))
	}
	for _, tool := range tools {
		row, ok := want[tool.GetName()]
		if !ok {
			t.Errorf("%s is not in the catalog", tool.GetName())
			continue
		}
		if tool.GetKind() != row.kind || tool.GetRisk() != row.risk || tool.GetIdempotent() != row.idempotent {
			t.Errorf("%s is %v, %v, idempotent %t", tool.GetName(), tool.GetKind(), tool.GetRisk(), tool.GetIdempotent())
		}
		if tool.GetStreaming() || tool.GetTerminatesTurn() || tool.GetDefaultTimeout().AsDuration() != 30*time.Second {
			t.Errorf("%s streams, ends the turn or has another timeout: %v", tool.GetName(), tool)
		}
		if spec := tool.GetConcurrency(); !spec.GetSafe() || !slices.Equal(spec.GetKeyFields(), row.keys) {
			t.Errorf("%s has the concurrency %v", tool.GetName(), spec)
		}
		if required := slices.Sorted(slices.Values(tool.GetInputSchema().GetRequired())); !slices.Equal(required, row.required) {
			t.Errorf("%s requires %v, want %v", tool.GetName(), required, row.required)
		}
		if output := tool.GetOutputSchema(); !slices.Contains(output.GetRequired(), "operation") {
			t.Errorf("%s has a result without its operation", tool.GetName())
		}
		for _, schema := range []*schemav1.Schema{tool.GetInputSchema(), tool.GetOutputSchema()} {
			wellFormed(t, tool.GetName(), schema)
		}
	}
}

// wellFormed holds a schema to the subset: typed everywhere, arrays with items, required names that exist.
func wellFormed(t *testing.T, path string, schema *schemav1.Schema) {
	t.Helper()
	switch schema.GetType() {
	case schemav1.SchemaType_SCHEMA_TYPE_UNSPECIFIED:
		t.Errorf("%s has no type", path)
	case schemav1.SchemaType_SCHEMA_TYPE_ARRAY:
		wellFormed(t, path+"[]", schema.GetItems())
	case schemav1.SchemaType_SCHEMA_TYPE_OBJECT:
		for _, name := range schema.GetRequired() {
			if schema.GetProperties()[name] == nil {
				t.Errorf("%s requires %s, which it does not have", path, name)
			}
		}
		for name, property := range schema.GetProperties() {
			wellFormed(t, path+"."+name, property)
		}
	}
}
