// A ToolError and the wire's message of it, both ways.
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { categoryFromWire, errorCategories, ToolError } from "@pluggableharness/protocol";
import type { ToolErrorSchema } from "@pluggableharness/protocol/wire";

/** The error a plugin has sent. */
export function toolErrorFromWire(
  { category, message, retryable, details }: MessageShape<typeof ToolErrorSchema>,
  cause?: unknown,
): ToolError {
  return new ToolError(categoryFromWire(category), message, {
    retryable,
    cause,
    ...(details !== undefined && { details }),
  });
}

/** The message of an error. */
export function toolErrorToWire({
  category,
  message,
  retryable,
  details,
}: ToolError): MessageInitShape<typeof ToolErrorSchema> {
  return {
    category: errorCategories[category].wire,
    message,
    retryable,
    ...(details !== undefined && { details: { ...details } }),
  };
}
