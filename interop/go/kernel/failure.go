package kernel

import (
	"errors"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// Failure is everything a failed call says.
type Failure struct {
	// Code is the gRPC code's name, PROTOCOL for a ViolationError.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Reason, Domain and Metadata are those of google.rpc.ErrorInfo, if it came.
	Reason   string            `json:"reason,omitempty"`
	Domain   string            `json:"domain,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	// ToolError is the second detail, if it came.
	ToolError *JSON[*toolv1.ToolError] `json:"tool_error,omitempty"`
	// Crashed says that the process is gone.
	Crashed bool `json:"crashed,omitempty"`
}

// FailureOf reads a failed call's error.
func FailureOf(err error) Failure {
	var violation *ViolationError
	if errors.As(err, &violation) {
		return Failure{Code: "PROTOCOL", Message: violation.Rule}
	}
	var crash *CrashError
	crashed := errors.As(err, &crash)
	answer := status.Convert(err)
	failure := Failure{Code: answer.Code().String(), Message: answer.Message(), Crashed: crashed}
	for _, detail := range answer.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			failure.Reason, failure.Domain, failure.Metadata = detail.GetReason(), detail.GetDomain(), detail.GetMetadata()
		case *toolv1.ToolError:
			failure.ToolError = &JSON[*toolv1.ToolError]{Message: detail}
		}
	}
	return failure
}
