package conformanceplugin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

const errorDomain = "tool.pluggableharness.dev"

// failure is an error that a model or a person can act on.
type failure struct {
	category toolv1.ToolErrorCategory
	message  string
}

func (f *failure) Error() string { return f.message }

func invalid(format string, arguments ...any) error {
	return failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS, format, arguments...)
}

func failed(category toolv1.ToolErrorCategory, format string, arguments ...any) error {
	return &failure{category: category, message: fmt.Sprintf(format, arguments...)}
}

// toolErrorOf is the in-band form: how Invoke fails.
func toolErrorOf(err error) *toolv1.ToolError {
	var known *failure
	switch {
	case errors.As(err, &known):
		return &toolv1.ToolError{Category: known.category, Message: known.message}
	case errors.Is(err, context.DeadlineExceeded):
		return &toolv1.ToolError{
			Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_TIMEOUT, Message: "the deadline passed", Retryable: true,
		}
	case errors.Is(err, context.Canceled):
		return &toolv1.ToolError{
			Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_CANCELLED, Message: "the call was cancelled",
		}
	}
	return &toolv1.ToolError{
		Category: toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED, Message: err.Error(),
	}
}

// statusOf is the out-of-band form: how Configure, Preview and Render fail.
func statusOf(err error) error {
	tool := toolErrorOf(err)
	reason := strings.ToLower(strings.TrimPrefix(tool.GetCategory().String(), "TOOL_ERROR_CATEGORY_"))
	detailed, detailsErr := status.New(codeOf(tool.GetCategory()), tool.GetMessage()).WithDetails(
		&errdetails.ErrorInfo{Domain: errorDomain, Reason: reason}, tool,
	)
	if detailsErr != nil {
		return detailsErr
	}
	return detailed.Err()
}

func codeOf(category toolv1.ToolErrorCategory) codes.Code {
	switch category {
	case toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS:
		return codes.InvalidArgument
	case toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND:
		return codes.NotFound
	case toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED:
		return codes.PermissionDenied
	case toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_TIMEOUT:
		return codes.DeadlineExceeded
	case toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_CANCELLED:
		return codes.Canceled
	}
	return codes.Internal
}
