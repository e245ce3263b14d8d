// Time that ran out is no failure of a search: what was found until then is a result. A cancellation is one.
import { isToolError } from "@pluggableharness/protocol";

/** Whether the deadline has ended the call. Throws the signal's reason where something else has. */
export function timedOutOrThrow(signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  if (isToolError(signal.reason) && signal.reason.category === "timeout") return true;
  throw signal.reason;
}
