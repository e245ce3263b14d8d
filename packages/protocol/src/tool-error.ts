// The one error type of the tool protocol: nine categories, their gRPC codes and whether the kernel may
// retry them. The table is the one in semantics.md, 'Calls'.

import type { ToolErrorCategory } from "./gen/pluggableharness/tool/v1/tool_pb.ts";

/** What went wrong, in the protocol's own nine words. */
export type ErrorCategory =
  | "invalid_arguments"
  | "not_found"
  | "permission_denied"
  | "execution_failed"
  | "timeout"
  | "concurrency_conflict"
  | "cancelled"
  | "process_crashed"
  | "unknown";

/**
 * The categories a plugin may report. `process_crashed` is missing: only the kernel makes it, from a dead
 * process (semantics.md, 'Calls').
 */
export type PluginErrorCategory = Exclude<ErrorCategory, "process_crashed">;

interface CategoryRule {
  /** `ToolErrorCategory` on the wire. */
  readonly wire: ToolErrorCategory;
  /** The gRPC status code used where a failure travels as a status (Configure, GetSchema, Render, Preview). */
  readonly grpcCode: number;
  readonly retryable: boolean;
}

/** Wire number, gRPC code and default `retryable` of each category. */
export const errorCategories: Readonly<Record<ErrorCategory, CategoryRule>> = {
  invalid_arguments: { wire: 1, grpcCode: 3, retryable: false },
  not_found: { wire: 2, grpcCode: 5, retryable: false },
  permission_denied: { wire: 3, grpcCode: 7, retryable: false },
  execution_failed: { wire: 4, grpcCode: 13, retryable: false },
  timeout: { wire: 5, grpcCode: 4, retryable: true },
  concurrency_conflict: { wire: 6, grpcCode: 10, retryable: true },
  cancelled: { wire: 7, grpcCode: 1, retryable: false },
  process_crashed: { wire: 8, grpcCode: 14, retryable: false },
  unknown: { wire: 9, grpcCode: 13, retryable: false },
};

/** A JSON value, as a Struct can hold it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The `domain` of the `google.rpc.ErrorInfo` that goes with a category (semantics.md, 'Calls'). */
export const ERROR_DOMAIN = "tool.pluggableharness.dev";

export interface ToolErrorOptions {
  /** Facts for a program: small, JSON, and free of secrets. */
  readonly details?: { readonly [key: string]: Json };
  /** Overrides the category's default. */
  readonly retryable?: boolean;
  /** The underlying failure; logged, never sent. */
  readonly cause?: unknown;
}

const brand = Symbol.for("pluggableharness.ToolError");

/**
 * A failure that a model or a person can act on. Tools throw it; the SDK turns it into the wire's
 * `ToolError`. The message says what was asked, what was found and what to try, and holds no secret.
 */
export class ToolError<C extends ErrorCategory = ErrorCategory> extends Error {
  readonly category: C;
  readonly retryable: boolean;
  readonly details: { readonly [key: string]: Json } | undefined;

  constructor(category: C, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.category = category;
    this.retryable = options.retryable ?? errorCategories[category].retryable;
    this.details = options.details;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** True for a ToolError, also one made by another copy of this package in the same process. */
export function isToolError(value: unknown): value is ToolError {
  return value instanceof Error && brand in value;
}

/** The category for a wire number; `unknown` for 0 and for numbers of a newer protocol. */
export function categoryFromWire(wire: number): ErrorCategory {
  for (const [category, rule] of Object.entries(errorCategories)) {
    // Object.entries widens the keys to string; they are the keys of errorCategories by construction.
    if (rule.wire === wire) return category as ErrorCategory;
  }
  return "unknown";
}
