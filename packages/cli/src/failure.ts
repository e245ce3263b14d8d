// How a command says why it failed: a line for a person, or one line of JSON.
import { isToolError, visibleText } from "@pluggableharness/protocol";

/** Prints the failure to stderr, and gives the exit code: 1 for a tool's error, 2 for everything else. */
export function reportFailure(error: unknown, json: boolean): number {
  const message = error instanceof Error ? error.message : String(error);
  const tool = isToolError(error) ? error : undefined;
  if (json) {
    const { category, retryable, details } = tool ?? {};
    // What is undefined, JSON leaves out.
    process.stderr.write(`${JSON.stringify({ category, message, retryable, details })}\n`);
  } else
    process.stderr.write(`${visibleText(tool === undefined ? message : `${tool.category}: ${message}`)}\n`);
  return tool === undefined ? 2 : 1;
}
