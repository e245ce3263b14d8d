// What a tool threw, as a ToolError; and a ToolError as the wire's message or as a gRPC status (semantics.md,
// 'Calls': Invoke reports in-band, the other methods by status).
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { ERROR_DOMAIN, errorCategories, isToolError, type Json, ToolError } from "@pluggableharness/protocol";
import { ErrorInfoSchema, ToolErrorSchema } from "@pluggableharness/protocol/wire";

const MAX_RAW_CHARS = 4_000;

/** Any thrown value as a ToolError: what is not one becomes `unknown` with the raw error in its details. */
export function toToolError(thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown;
  const raw = rawText(thrown);
  const summary = raw.split("\n", 1)[0] ?? "";
  return new ToolError(
    "unknown",
    `the tool failed unexpectedly: ${summary === "" ? "no message" : summary}`,
    {
      details: { error: raw },
      cause: thrown,
    },
  );
}

function rawText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return text.slice(0, MAX_RAW_CHARS);
  } catch {
    // An object whose conversion throws can still be named.
    return Object.prototype.toString.call(thrown);
  }
}

/** The in-band form. */
export function wireToolError(error: ToolError): MessageInitShape<typeof ToolErrorSchema> {
  const base = {
    category: errorCategories[error.category].wire,
    message: error.message,
    retryable: error.retryable,
  };
  return error.details === undefined ? base : { ...base, details: { ...error.details } };
}

/** The status form, with `google.rpc.ErrorInfo` and the ToolError as details. */
export function statusOf(thrown: unknown): GrpcError {
  if (thrown instanceof GrpcError) return thrown;
  const error = toToolError(thrown);
  const code = errorCategories[error.category].grpcCode;
  const info = create(ErrorInfoSchema, {
    reason: error.category,
    domain: ERROR_DOMAIN,
    metadata: Object.fromEntries(
      Object.entries(error.details ?? {}).map(([key, value]) => [key, textOf(value)]),
    ),
  });
  return new GrpcError(Object.values(Code).find((known) => known === code) ?? Code.INTERNAL, error.message, {
    details: [
      anyPack(ErrorInfoSchema, info),
      anyPack(ToolErrorSchema, create(ToolErrorSchema, wireToolError(error))),
    ],
    cause: error,
  });
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
