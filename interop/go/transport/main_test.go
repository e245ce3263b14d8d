// Package transport_test holds the plugin under test to the go-plugin contract, with the real library as the
// host. Numbers in brackets are the assertions of that contract's checklist.
package transport_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
	"github.com/pluggableharness/plugin-tools/interop/go/internal/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

// call makes a call in a folder.
func call(t *testing.T, folder, operation string, arguments map[string]any) *toolv1.ToolCall {
	t.Helper()
	return &toolv1.ToolCall{
		Id:        "call-1",
		ToolName:  operation,
		Arguments: kerneltest.Struct(t, arguments),
		CallContext: &commonv1.CallContext{
			SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: folder,
		},
	}
}

// wideTree makes so many folders that listing them all takes a while.
func wideTree(t *testing.T) string {
	t.Helper()
	root := kerneltest.Temporary(t)
	for outer := range 40 {
		for inner := range 50 {
			if err := os.MkdirAll(filepath.Join(root, fmt.Sprint(outer), fmt.Sprint(inner)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}
