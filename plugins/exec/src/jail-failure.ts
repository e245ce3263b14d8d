// The jail's refusals in the protocol's nine categories (semantics.md, 'Calls'). The messages are the jail's own:
// they say what to do next and nothing about what lies outside.
import { JailError, type JailErrorCode } from "@pluggableharness/jail";
import { type PluginErrorCategory, ToolError } from "@pluggableharness/protocol";

const categories: Readonly<Record<JailErrorCode, PluginErrorCategory>> = {
  outside: "permission_denied",
  not_found: "not_found",
  not_a_directory: "invalid_arguments",
  is_a_directory: "invalid_arguments",
  not_a_regular_file: "execution_failed",
  not_a_link: "invalid_arguments",
  link_loop: "execution_failed",
  protected: "permission_denied",
  read_only: "permission_denied",
  invalid_path: "invalid_arguments",
  working_directory: "invalid_arguments",
  exists: "concurrency_conflict",
  not_empty: "execution_failed",
  changed: "concurrency_conflict",
  too_large: "execution_failed",
  permission: "permission_denied",
  no_space: "execution_failed",
  io: "execution_failed",
  root_replaced: "execution_failed",
  invalid_option: "invalid_arguments",
  unsupported: "execution_failed",
  closed: "execution_failed",
};

/** Runs what uses the jail; a JailError comes out as a ToolError, anything else as it is. */
export function failuresAsToolErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asToolError(error);
  }
}

/** The ToolError for a JailError; any other value itself. */
export function asToolError(error: unknown): unknown {
  if (!(error instanceof JailError)) return error;
  return new ToolError(categories[error.code], error.message, {
    details: { reason: error.code },
    cause: error,
  });
}
