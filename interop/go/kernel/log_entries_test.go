package kernel

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
)

func TestLogEntriesReadsBothForms(t *testing.T) {
	entry, err := proto.Marshal(&logv1.LogEntry{Message: "former"})
	if err != nil {
		t.Fatal(err)
	}
	former := protowire.AppendBytes(protowire.AppendTag(nil, formerEntryField, protowire.BytesType), entry)
	present, err := proto.Marshal(&kernelv1.LogRequest{Entries: []*logv1.LogEntry{{Message: "one"}, {Message: "two"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		request []byte
		want    []string
	}{
		"present": {present, []string{"one", "two"}},
		"former":  {former, []string{"former"}},
		"both":    {append(present, former...), []string{"one", "two", "former"}},
		"neither": {nil, nil},
	} {
		request := &kernelv1.LogRequest{}
		if err := proto.Unmarshal(test.request, request); err != nil {
			t.Fatal(err)
		}
		entries, err := logEntries(request)
		if (err == nil) != (len(test.want) > 0) {
			t.Errorf("%s: error %v", name, err)
		}
		if len(entries) != len(test.want) {
			t.Fatalf("%s: %d entries, want %d", name, len(entries), len(test.want))
		}
		for i, entry := range entries {
			if entry.GetMessage() != test.want[i] {
				t.Errorf("%s: entry %d is %q, want %q", name, i, entry.GetMessage(), test.want[i])
			}
		}
	}
}
