package kernel

import (
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	commonv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/common/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Event is one thing that happened between the kernel and a plugin. Each is a struct of its own.
type Event interface{ EventName() string }

// JSON is a protobuf message that marshals as protobuf's JSON.
type JSON[M proto.Message] struct{ Message M }

// MarshalJSON gives protobuf's JSON on one line, with the field names of the .proto files.
func (m JSON[M]) MarshalJSON() ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m.Message)
	if err != nil {
		return nil, err
	}
	// protojson varies its blanks on purpose; what comes from here is compared and grepped.
	return json.RawMessage(text).MarshalJSON()
}

type (
	// Probed is the answer of a process started for a category: OK or a status code.
	Probed struct {
		Category string `json:"category"`
		Code     string `json:"code"`
		TookMS   int64  `json:"took_ms"`
	}
	// ShookHands is the end of go-plugin's handshake.
	ShookHands struct {
		PID     int    `json:"pid"`
		Network string `json:"network"`
		Address string `json:"address"`
		Version int    `json:"version"`
		TookMS  int64  `json:"took_ms"`
	}
	// Described is the plugin's identity.
	Described struct {
		Producer JSON[*commonv1.ProducerRef] `json:"producer"`
	}
	// Checksummed is the digest the lock file holds.
	Checksummed struct {
		SHA256 string `json:"sha256"`
	}
	// SchemaRead is the plugin's operations and configuration.
	SchemaRead struct {
		Schema JSON[*toolv1.GetSchemaResponse] `json:"schema"`
	}
	// Configured is the end of Configure. It leaves the values out: some are secrets.
	Configured struct {
		TookMS int64 `json:"took_ms"`
	}
	// PreviewProbed says whether Preview is implemented.
	PreviewProbed struct {
		Implemented bool   `json:"implemented"`
		Code        string `json:"code"`
		TookMS      int64  `json:"took_ms"`
	}
	// Logged is one entry of a Log callback.
	Logged struct {
		SessionID       string                `json:"session_id,omitempty"`
		Entry           JSON[*logv1.LogEntry] `json:"entry"`
		DuringConfigure bool                  `json:"during_configure"`
	}
	// CalledBack is any other callback.
	CalledBack struct {
		Method          string              `json:"method"`
		Request         JSON[proto.Message] `json:"request"`
		DuringConfigure bool                `json:"during_configure"`
	}
	// WroteStderr is one entry of the plugin's standard error, as hclog parsed it.
	WroteStderr struct {
		Level   string         `json:"level"`
		Message string         `json:"message"`
		Fields  map[string]any `json:"fields,omitempty"`
	}
	// HostLogged is what go-plugin itself says about the plugin.
	HostLogged struct {
		Level   string         `json:"level"`
		Message string         `json:"message"`
		Fields  map[string]any `json:"fields,omitempty"`
	}
	// Exited is the end of the process.
	Exited struct {
		PID int `json:"pid"`
		// Code is the exit code, -1 where a signal ended the process.
		Code   int    `json:"code"`
		Signal string `json:"signal,omitempty"`
		// KillMS is how long Kill took.
		KillMS int64 `json:"kill_ms"`
	}
)

func (Probed) EventName() string        { return "probed" }
func (ShookHands) EventName() string    { return "handshake" }
func (Described) EventName() string     { return "described" }
func (Checksummed) EventName() string   { return "checksum" }
func (SchemaRead) EventName() string    { return "schema" }
func (Configured) EventName() string    { return "configured" }
func (PreviewProbed) EventName() string { return "preview_probe" }
func (Logged) EventName() string        { return "callback_log" }
func (CalledBack) EventName() string    { return "callback" }
func (WroteStderr) EventName() string   { return "stderr" }
func (HostLogged) EventName() string    { return "go_plugin" }
func (Exited) EventName() string        { return "exit" }
