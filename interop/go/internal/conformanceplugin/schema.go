package conformanceplugin

import (
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	configv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/config/v1"
	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// tools is what GetSchema answers: the same in every call, and asked of nobody.
var tools = []*toolv1.ToolSchema{
	{
		Name: "read_note", Description: "Reads a note, whole.",
		Kind: toolv1.ToolKind_TOOL_KIND_DATA_SOURCE, Risk: toolv1.RiskClass_RISK_CLASS_READ_ONLY,
		InputSchema:    object(properties{"path": notePath}, "path"),
		OutputSchema:   output("read_note", properties{"text": text("The note.")}),
		Concurrency:    &toolv1.ConcurrencySpec{Safe: true},
		Idempotent:     true,
		DefaultTimeout: durationpb.New(30 * time.Second),
	},
	{
		Name: "append_note", Description: "Appends a text to a note, and makes the note where there is none.",
		Kind: toolv1.ToolKind_TOOL_KIND_RESOURCE, Risk: toolv1.RiskClass_RISK_CLASS_MODERATE,
		InputSchema: object(properties{"path": notePath, "text": text("What to append.")}, "path", "text"),
		OutputSchema: output("append_note", properties{
			"path": text("The note's absolute path."), "size_bytes": number("Its size afterwards."),
		}),
		Concurrency: &toolv1.ConcurrencySpec{Safe: true, KeyFields: []string{"path"}},
	},
	{
		Name: "count", Description: "Counts from 1 up, a step at a time.",
		Kind: toolv1.ToolKind_TOOL_KIND_DATA_SOURCE, Risk: toolv1.RiskClass_RISK_CLASS_READ_ONLY,
		InputSchema: object(properties{
			"to": number("How far; a whole number, 0 or more."), "delay_ms": number("A pause before each step."),
		}, "to"),
		OutputSchema: output("count", properties{"counted": number("How far it came.")}),
		Streaming:    true,
		Concurrency:  &toolv1.ConcurrencySpec{Safe: true},
		Idempotent:   true,
	},
	{
		Name: "shell_echo", Description: "Lets a shell print a text.",
		Kind: toolv1.ToolKind_TOOL_KIND_RESOURCE, Risk: toolv1.RiskClass_RISK_CLASS_HIGH,
		InputSchema: object(properties{
			"text": text("What to print."), "sleep_seconds": number("How long the shell sleeps afterwards."),
		}, "text"),
		OutputSchema: output("shell_echo", properties{"exit_code": number("The shell's exit code.")}),
		Streaming:    true,
		Concurrency:  &toolv1.ConcurrencySpec{},
	},
}

var greetingDefault = `"hello"`

var configSchema = &configv1.ConfigSchema{Attributes: []*configv1.ConfigAttribute{
	{Name: "root", Type: configv1.AttrType_ATTR_TYPE_STRING, Required: true, Description: "The directory of the notes, absolute."},
	{Name: "greeting", Type: configv1.AttrType_ATTR_TYPE_STRING, DefaultJson: &greetingDefault, Description: "What previews begin with."},
	{Name: "token", Type: configv1.AttrType_ATTR_TYPE_STRING, Sensitive: true, Description: "A secret, used for nothing."},
}}

func toolOf(name string) *toolv1.ToolSchema {
	for _, tool := range tools {
		if tool.GetName() == name {
			return tool
		}
	}
	return nil
}

type properties map[string]*schemav1.Schema

var notePath = text("The note; relative to the call's working directory, and inside the root.")

func text(description string) *schemav1.Schema {
	return &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_STRING, Description: description}
}

func number(description string) *schemav1.Schema {
	return &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_NUMBER, Description: description}
}

func object(has properties, required ...string) *schemav1.Schema {
	return &schemav1.Schema{Type: schemav1.SchemaType_SCHEMA_TYPE_OBJECT, Properties: has, Required: required}
}

// output is an object whose properties are all required. One of them names the operation, for Render.
func output(operation string, has properties) *schemav1.Schema {
	has["operation"] = &schemav1.Schema{
		Type: schemav1.SchemaType_SCHEMA_TYPE_STRING, Description: "This operation.", EnumValues: []string{operation},
	}
	schema := object(has)
	for name := range has {
		schema.Required = append(schema.Required, name)
	}
	slices.Sort(schema.Required)
	return schema
}
