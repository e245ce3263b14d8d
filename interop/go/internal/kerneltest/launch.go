package kerneltest

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pluggableharness/plugin-tools/interop/go/kernel"
)

// Launch brings a plugin up and closes it at the end of the test, if the test has not.
func Launch(t *testing.T, options kernel.Options) (*kernel.Plugin, *Journal) {
	t.Helper()
	journal := NewJournal()
	options.Observe = journal.Observe
	plugin, err := kernel.Launch(context.Background(), options)
	if err != nil {
		t.Fatalf("launch of %s: %v\nstderr: %v", options.Path, err, Events[kernel.WroteStderr](journal))
	}
	t.Cleanup(func() { plugin.Close(context.Background()) })
	return plugin, journal
}

// Refused launches a plugin that must not come up, and gives what happened.
func Refused(t *testing.T, options kernel.Options) (*Journal, error) {
	t.Helper()
	journal := NewJournal()
	options.Observe = journal.Observe
	plugin, err := kernel.Launch(context.Background(), options)
	if err == nil {
		plugin.Close(context.Background())
		t.Fatal("the launch succeeded")
	}
	return journal, err
}

// Filesystem are the options for the plugin under test with one root.
func Filesystem(t *testing.T, root string) kernel.Options {
	t.Helper()
	return kernel.Options{Path: PluginUnderTest(t), Config: Struct(t, map[string]any{"roots": []any{root}})}
}

// Struct makes a protobuf struct; what has no JSON form fails the test.
func Struct(t *testing.T, fields map[string]any) *structpb.Struct {
	t.Helper()
	made, err := structpb.NewStruct(fields)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Read decodes a struct, such as a result's payload, into a Go value by its JSON names.
func Read[T any](t *testing.T, from *structpb.Struct) T {
	t.Helper()
	var into T
	text, err := from.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &into)
	}
	if err != nil {
		t.Fatal(err)
	}
	return into
}

// Temporary makes a folder with a short path, removed at the end of the test.
func Temporary(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}
