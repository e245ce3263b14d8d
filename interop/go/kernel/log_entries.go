package kernel

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
)

// formerEntryField held a request's single entry before there were several; it is reserved now.
const formerEntryField = 2

// logEntries gives the entries of both forms. A request without any is an error.
func logEntries(request *kernelv1.LogRequest) ([]*logv1.LogEntry, error) {
	entries := request.GetEntries()
	for unknown := request.ProtoReflect().GetUnknown(); len(unknown) > 0; {
		number, kind, length := protowire.ConsumeField(unknown)
		if length < 0 {
			return nil, protowire.ParseError(length)
		}
		if number == formerEntryField && kind == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(unknown)
			content, _ := protowire.ConsumeBytes(unknown[tag:])
			entry := &logv1.LogEntry{}
			if err := proto.Unmarshal(content, entry); err != nil {
				return nil, err
			}
			entries = append(entries, entry)
		}
		unknown = unknown[length:]
	}
	if len(entries) == 0 {
		return nil, errors.New("entries must not be empty")
	}
	return entries, nil
}
