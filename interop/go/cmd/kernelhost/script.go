package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// script is the file of calls.
type script struct {
	// Parallel runs all calls at once instead of one after another.
	Parallel bool   `json:"parallel"`
	Calls    []step `json:"calls"`
}

// step is one call and what is to happen around it.
type step struct {
	ToolName    string          `json:"tool_name"`
	Arguments   json.RawMessage `json:"arguments"`
	CallContext json.RawMessage `json:"call_context"`
	// DeadlineMS is the call's deadline. 0 is none.
	DeadlineMS int `json:"deadline_ms"`
	// CancelAfterMS resets the stream after this time. 0 is at once, absent is never.
	CancelAfterMS *int `json:"cancel_after_ms"`
	// CancelAfterEvents resets the stream after this many events. 0 is never.
	CancelAfterEvents int `json:"cancel_after_events"`
	// Preview asks for the preview first.
	Preview bool `json:"preview"`
	// Invoke may be false to leave it at the preview.
	Invoke *bool `json:"invoke"`
	// Render draws the terminal event afterwards.
	Render bool `json:"render"`
}

// readScript reads a file with an object or, in short, only the array of calls. Unknown fields are errors: a
// misspelled cancel_after_ms would otherwise test nothing.
func readScript(path string) (script, error) {
	var s script
	if path == "" {
		return s, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	var target any = &s
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte("[")) {
		target = &s.Calls
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return s, err
	}
	for i, step := range s.Calls {
		if _, err := step.call(i); err != nil {
			return s, fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	return s, nil
}

// call makes the protocol's call. Its working directory is the host's unless the step says otherwise.
func (s step) call(index int) (*toolv1.ToolCall, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	call := &toolv1.ToolCall{
		Id:          fmt.Sprintf("call-%d", index+1),
		ToolName:    s.ToolName,
		CallContext: &commonv1.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: here},
	}
	if s.Arguments != nil {
		call.Arguments = &structpb.Struct{}
		if err := protojson.Unmarshal(s.Arguments, call.Arguments); err != nil {
			return nil, errors.Join(errors.New("arguments"), err)
		}
	}
	if s.CallContext != nil {
		call.CallContext = &commonv1.CallContext{}
		if err := protojson.Unmarshal(s.CallContext, call.CallContext); err != nil {
			return nil, errors.Join(errors.New("call_context"), err)
		}
	}
	return call, nil
}
