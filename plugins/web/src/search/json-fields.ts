// Reads JSON of which nothing is certain. What is required and missing is named by its path; what is not known is
// passed over. Pure.
import { ToolError } from "@pluggableharness/protocol";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectField(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw missing(path, "object");
  return value;
}

export function arrayField(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw missing(path, "array");
  return value;
}

export function textField(value: unknown, path: string): string {
  if (typeof value !== "string") throw missing(path, "string");
  return value;
}

/** Undefined where it is missing or anything else. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function missing(path: string, type: string): ToolError {
  return new ToolError(
    "execution_failed",
    `the answer lacks ${path} (${type}); the service may have changed`,
    {
      details: { reason: "unexpected_answer", field: path },
    },
  );
}
