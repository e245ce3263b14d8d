// A failure of Configure, GetSchema, Preview or Render as a ToolError, from the details of its status
// (semantics.md, 'Calls').
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { categoryFromWire, type ErrorCategory, errorCategories, ToolError } from "@pluggableharness/protocol";
import { ToolErrorSchema } from "@pluggableharness/protocol/wire";

/** The ToolError in a status; one made from the code alone where the plugin attached none. Other values as they are. */
export function toolErrorOf(error: unknown): unknown {
  if (!(error instanceof GrpcError) || error.code === Code.UNIMPLEMENTED || error.code === Code.UNAVAILABLE)
    return error;
  for (const detail of error.details) {
    const attached = anyUnpack(detail, ToolErrorSchema);
    if (attached === undefined) continue;
    const { category, message, retryable, details } = attached;
    return new ToolError(categoryFromWire(category), message, {
      retryable,
      cause: error,
      ...(details !== undefined && { details }),
    });
  }
  return new ToolError(categoryOfCode(error.code), error.message, { cause: error });
}

function categoryOfCode(code: number): ErrorCategory {
  // INTERNAL belongs to two categories; without the plugin's own word it is the unknown one.
  if (code === Code.INTERNAL) return "unknown";
  // The keys of errorCategories, which Object.keys widens to string.
  const names = Object.keys(errorCategories) as ErrorCategory[];
  return names.find((name) => errorCategories[name].grpcCode === code) ?? "unknown";
}
