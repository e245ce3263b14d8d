package kernel

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

var (
	progress = &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Progress_{Progress: &toolv1.ToolEvent_Progress{}}}
	exit     = &toolv1.ToolEvent{Event: &toolv1.ToolEvent_ExitStatus_{ExitStatus: &toolv1.ToolEvent_ExitStatus{}}}
	failed   = &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Error{Error: &toolv1.ToolError{}}}
)

func result(fields map[string]*structpb.Value) *toolv1.ToolEvent {
	payload := &structpb.Struct{Fields: fields}
	return &toolv1.ToolEvent{Event: &toolv1.ToolEvent_Result{Result: &toolv1.ToolResult{Payload: payload}}}
}

// outputs is an object schema with one member of each kind.
func outputs() *schemav1.Schema {
	text := &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_STRING, EnumValues: []string{"a", "b"}}
	return &schemav1.Schema{
		Type:     schemav1.SchemaType_SCHEMA_TYPE_OBJECT,
		Required: []string{"letter"},
		Properties: map[string]*schemav1.Schema{
			"letter":  text,
			"count":   {Type: schemav1.SchemaType_SCHEMA_TYPE_NUMBER},
			"done":    {Type: schemav1.SchemaType_SCHEMA_TYPE_BOOLEAN},
			"letters": {Type: schemav1.SchemaType_SCHEMA_TYPE_ARRAY, Items: text},
		},
	}
}

func TestStreamRules(t *testing.T) {
	good := map[string]*structpb.Value{"letter": structpb.NewStringValue("a"), "unknown": structpb.NewNullValue()}
	with := func(name string, value *structpb.Value) map[string]*structpb.Value {
		return map[string]*structpb.Value{"letter": structpb.NewStringValue("a"), name: value}
	}
	list := func(values ...*structpb.Value) *structpb.Value {
		return structpb.NewListValue(&structpb.ListValue{Values: values})
	}
	for _, test := range []struct {
		name      string
		streaming bool
		events    []*toolv1.ToolEvent
		broken    string
	}{
		{"a result alone", false, []*toolv1.ToolEvent{result(good)}, ""},
		{"an error alone", false, []*toolv1.ToolEvent{failed}, ""},
		{"events, then a result", true, []*toolv1.ToolEvent{progress, exit, progress, result(good)}, ""},
		{"nothing", true, nil, "without a result"},
		{"no terminal event", true, []*toolv1.ToolEvent{progress}, "without a result"},
		{"two terminal events", true, []*toolv1.ToolEvent{result(good), failed}, "after the terminal event"},
		{"progress after the end", true, []*toolv1.ToolEvent{failed, progress}, "after the terminal event"},
		{"two exits", true, []*toolv1.ToolEvent{exit, exit, failed}, "second exit_status"},
		{"an empty event", true, []*toolv1.ToolEvent{{}}, "without a member"},
		{"an event that does not stream", false, []*toolv1.ToolEvent{progress, failed}, "does not stream"},
		{"no payload", false, []*toolv1.ToolEvent{{Event: &toolv1.ToolEvent_Result{}}}, "without a payload"},
		{"a missing property", false, []*toolv1.ToolEvent{result(nil)}, "payload.letter is required"},
		{"a value outside the enum", false, []*toolv1.ToolEvent{result(with("letter", structpb.NewStringValue("c")))}, `not "c"`},
		{"null for a number", false, []*toolv1.ToolEvent{result(with("count", structpb.NewNullValue()))}, "payload.count must be a number"},
		{"text for a boolean", false, []*toolv1.ToolEvent{result(with("done", structpb.NewStringValue("true")))}, "payload.done must be true or false"},
		{"an object for an array", false, []*toolv1.ToolEvent{result(with("letters", structpb.NewStructValue(nil)))}, "payload.letters must be an array"},
		{"a wrong element", false, []*toolv1.ToolEvent{result(with("letters", list(good["letter"], structpb.NewNumberValue(1))))}, "payload.letters[1] must be a string"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := streamRules{schema: &toolv1.ToolSchema{Streaming: test.streaming, OutputSchema: outputs()}}
			var err error
			for _, event := range test.events {
				if err = rules.next(event); err != nil {
					break
				}
			}
			if err == nil {
				_, err = rules.end()
			}
			switch {
			case test.broken == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.broken != "" && (err == nil || !strings.Contains(err.Error(), test.broken)):
				t.Errorf("gave %v, want %q in it", err, test.broken)
			}
		})
	}
}
