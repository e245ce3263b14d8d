// A failure of Configure, GetSchema, Preview or Render as a ToolError, from the details of its status
// (semantics.md, 'Calls').
import type { MessageShape } from "@bufbuild/protobuf";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, type GrpcError } from "@pluggableharness/grpc";
import { type ErrorCategory, errorCategories, ToolError } from "@pluggableharness/protocol";
import { ToolErrorSchema } from "@pluggableharness/protocol/wire";
import { toolErrorFromWire } from "./wire-tool-error.ts";

/** The ToolError in a status; one made from the code alone where the plugin attached none that can be read. */
export function toolErrorOf(error: GrpcError): ToolError {
  for (const detail of error.details) {
    const attached = unpacked(detail);
    if (attached !== undefined) return toolErrorFromWire(attached, error);
  }
  return new ToolError(categoryOfCode(error.code), error.message, { cause: error });
}

function unpacked(detail: Any): MessageShape<typeof ToolErrorSchema> | undefined {
  try {
    return anyUnpack(detail, ToolErrorSchema);
  } catch {
    // Bytes that are no ToolError. The status itself still says what failed.
    return undefined;
  }
}

function categoryOfCode(code: number): ErrorCategory {
  // INTERNAL belongs to two categories; without the plugin's own word it is the unknown one. UNAVAILABLE is no word
  // of the plugin's at all: only who sees the process knows whether it crashed.
  if (code === Code.INTERNAL || code === Code.UNAVAILABLE) return "unknown";
  // The keys of errorCategories, which Object.keys widens to string.
  const names = Object.keys(errorCategories) as ErrorCategory[];
  return names.find((name) => errorCategories[name].grpcCode === code) ?? "unknown";
}
