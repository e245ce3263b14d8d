package conformanceplugin

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

func structOf(t *testing.T, text string) *structpb.Struct {
	t.Helper()
	value := &structpb.Struct{}
	if err := protojson.Unmarshal([]byte(text), value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestACallIsRefusedWithTheNameOfItsField(t *testing.T) {
	for _, test := range []struct{ tool, arguments, want string }{
		{"read_note", `{"path": "a"}`, ""},
		{"read_note", `{"path": "a", "unknown": [null]}`, ""},
		{"read_note", `{}`, "path: it is required"},
		{"read_note", `{"path": null}`, "path: expected a string"},
		{"read_note", `{"path": 1}`, "path: expected a string"},
		{"count", `{"to": "3"}`, "to: expected a number"},
		{"count", `{"to": 3, "delay_ms": true}`, "delay_ms: expected a number"},
		{"", `{}`, "tool_name: it is required"},
		{"nope", `{}`, `there is no operation "nope"`},
	} {
		err := checkCall(&toolv1.ToolCall{ToolName: test.tool, Arguments: structOf(t, test.arguments)})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s %s: %q, want %q", test.tool, test.arguments, got, test.want)
		}
	}
}

func TestACountIsAWholeNumber(t *testing.T) {
	for text, ok := range map[string]bool{
		`{}`: true, `{"to": 0}`: true, `{"to": 7}`: true,
		`{"to": -1}`: false, `{"to": 1.5}`: false, `{"to": 1e300}`: false,
	} {
		if _, err := wholeNumber(structOf(t, text), "to"); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAnOutputNamesItsOperation(t *testing.T) {
	for _, tool := range tools {
		operation := tool.GetOutputSchema().GetProperties()["operation"]
		if got := strings.Join(operation.GetEnumValues(), ","); got != tool.GetName() {
			t.Errorf("%s: its output says %q", tool.GetName(), got)
		}
		if operations[tool.GetName()] == nil {
			t.Errorf("%s: it is declared and not there", tool.GetName())
		}
	}
}
