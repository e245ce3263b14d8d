// Waiting that can be given up: the work itself goes on, since others may wait for it too.
import { isToolError, ToolError } from "@pluggableharness/protocol";

/** What the promise comes to; throws the signal's reason where that fires first. */
export async function untilAborted<T>(promise: Promise<T> | T, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** What was thrown, as a ToolError: `cancelled` where the signal had fired, else `unknown`. */
export function asToolError(thrown: unknown, signal: AbortSignal): ToolError {
  if (isToolError(thrown)) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return signal.aborted
    ? new ToolError("cancelled", `the call was cancelled: ${why}`, { cause: thrown })
    : new ToolError("unknown", why, { cause: thrown });
}
