package filesystem_test

import (
	"context"
	"slices"
	"testing"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	hookv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/hook/v1"
	sessionv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/session/v1"
)

// What a session has read is its own.
func TestSessionsAreToldApart(t *testing.T) {
	w := open(t)
	w.put("f", "old")
	w.read(args{"path": "f"})
	write := w.call("write_file", args{"path": "f", "content": "new"})
	write.CallContext.SessionId = "session-2"
	terminal, err := w.plugin.Invoke(context.Background(), write, nil)
	if err != nil || terminal.GetError().GetCategory() != invalid {
		t.Errorf("another session's write gave %v, %v", terminal, err)
	}
	w.change("write_file", args{"path": "f", "content": "new"})
}

// The end of a session arrives by a hook, on the same connection; then what it has read is forgotten.
func TestTheEndOfASessionDropsItsState(t *testing.T) {
	w := open(t)
	if points := w.plugin.Schema.GetSupportedHookPoints(); !slices.Contains(points, commonv1.HookPoint_HOOK_POINT_SESSION_END) {
		t.Fatalf("the hook points are %v", points)
	}
	w.put("f", "old")
	w.read(args{"path": "f"})
	response, err := hookv1.NewHookSubscriberServiceClient(w.plugin.Conn).DispatchHook(context.Background(), &hookv1.DispatchHookRequest{
		Mode: hookv1.HookMode_HOOK_MODE_OBSERVE,
		Payload: &hookv1.HookPayload{Payload: &hookv1.HookPayload_SessionEnd{SessionEnd: &hookv1.SessionEndPayload{
			SessionId: "session-1", Status: sessionv1.SessionStatus_SESSION_STATUS_COMPLETED,
		}}},
	})
	if err != nil || response.GetObserve() == nil {
		t.Fatalf("the hook gave %v, %v", response, err)
	}
	w.refuse(invalid, "write_file", args{"path": "f", "content": "new"})
}
