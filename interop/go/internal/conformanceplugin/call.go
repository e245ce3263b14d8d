package conformanceplugin

import (
	"context"

	"google.golang.org/protobuf/types/known/structpb"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// call is what an operation is given.
type call struct {
	ctx              context.Context
	arguments        *structpb.Struct
	workingDirectory string
	root             string
	send             func(*toolv1.ToolEvent) error
	// report tells what a cancelled call had done, on every way that is left.
	report func(string)
}

// payload is a result without its "operation", which is the same for all.
type payload map[string]any

var operations = map[string]func(*call) (payload, error){
	"read_note":   readNote,
	"append_note": appendNote,
	"count":       count,
	"shell_echo":  shellEcho,
}
