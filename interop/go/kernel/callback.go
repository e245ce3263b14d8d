package kernel

import (
	"context"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	kernelv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/kernel/v1"
	logv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/log/v1"
	sessionv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/session/v1"
)

// callbacks is KernelCallbackService as a tool plugin may use it; what is not here answers Unimplemented.
type callbacks struct {
	kernelv1.UnimplementedKernelCallbackServiceServer
	plugin  *Plugin
	emitted atomic.Int64
}

// serveCallbacks makes the server with grpc's own limits: a request may have 4 MiB.
func (p *Plugin) serveCallbacks(options []grpc.ServerOption) *grpc.Server {
	server := grpc.NewServer(options...)
	kernelv1.RegisterKernelCallbackServiceServer(server, &callbacks{plugin: p})
	return server
}

func (c *callbacks) note(method string, request proto.Message) {
	c.plugin.options.observe(CalledBack{method, JSON[proto.Message]{Message: request}, c.plugin.configuring.Load()})
}

// Log takes entries in the present form and in the one before it.
func (c *callbacks) Log(_ context.Context, request *kernelv1.LogRequest) (*kernelv1.LogResult, error) {
	entries, err := logEntries(request)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	for _, entry := range entries {
		c.plugin.options.observe(Logged{request.GetSessionId(), JSON[*logv1.LogEntry]{Message: entry}, c.plugin.configuring.Load()})
	}
	if c.plugin.options.LegacyLog && len(request.GetEntries()) > 0 {
		return nil, status.Error(codes.InvalidArgument, "entry is required")
	}
	return &kernelv1.LogResult{}, nil
}

// GetConfig answers what Configure received, also while Configure runs.
func (c *callbacks) GetConfig(_ context.Context, request *kernelv1.GetConfigRequest) (*kernelv1.GetConfigResult, error) {
	c.note("GetConfig", request)
	return &kernelv1.GetConfigResult{Config: c.plugin.config.Load()}, nil
}

// GetSession answers a running root session with something left of every budget.
func (c *callbacks) GetSession(_ context.Context, request *kernelv1.GetSessionRequest) (*kernelv1.GetSessionResult, error) {
	c.note("GetSession", request)
	if request.GetSessionId() == "" {
		return nil, status.Error(codes.InvalidArgument, "session_id is required")
	}
	return &kernelv1.GetSessionResult{
		Info: &sessionv1.SessionInfo{
			SessionId: request.GetSessionId(),
			Profile:   "default",
			Status:    sessionv1.SessionStatus_SESSION_STATUS_RUNNING,
			StartedAt: timestamppb.Now(),
		},
		RemainingDepth:         2,
		RemainingCostBudgetUsd: 1,
	}, nil
}

// GetTelemetryConfig asks for logs of every level and nothing else.
func (c *callbacks) GetTelemetryConfig(
	_ context.Context, request *kernelv1.GetTelemetryConfigRequest,
) (*kernelv1.GetTelemetryConfigResult, error) {
	c.note("GetTelemetryConfig", request)
	return &kernelv1.GetTelemetryConfigResult{LogsEnabled: true, LogLevel: logv1.LogLevel_LOG_LEVEL_TRACE}, nil
}

// Emit numbers events and keeps none.
func (c *callbacks) Emit(_ context.Context, request *kernelv1.EmitRequest) (*kernelv1.EmitResult, error) {
	c.note("Emit", request)
	sequence := c.emitted.Add(1)
	return &kernelv1.EmitResult{Id: request.GetSessionId() + "-" + request.GetKind().String(), Sequence: sequence}, nil
}
