// Which failures are tried again, and when (semantics.md, 'Calls'): only retryable ones, only of what may be done
// twice, with the kernel's backoff.
import { isToolError, type ToolError } from "@pluggableharness/protocol";

/** As the kernel's: 500 ms, doubled each time, five tries in all. */
export const MAX_TRIES = 5;
const FIRST_DELAY_MS = 500;

export interface RetryOptions {
  /** The call reads only, or its operation is idempotent. */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
  /** Waits; the clock of the caller. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Told of each failure after which there is another try, before the wait for it. */
  readonly onRetry?: ((failure: ToolError) => void) | undefined;
}

/** How a try is made: `alone` asks for the whole provider, after a concurrency_conflict. */
export type Try<T> = (how: { readonly alone: boolean }) => Promise<T>;

/** Tries until there is a result, a failure that is not retryable, or no try left; then throws the last failure. */
export async function withRetries<T>(
  attempt: Try<T>,
  { mayRepeat, signal, wait, onRetry }: RetryOptions,
): Promise<T> {
  let alone = false;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt({ alone });
    } catch (error) {
      const isRetryable = isToolError(error) && error.retryable && mayRepeat;
      if (!isRetryable || tries === MAX_TRIES || signal.aborted) throw error;
      alone = error.category === "concurrency_conflict";
      onRetry?.(error);
    }
    await wait(FIRST_DELAY_MS * 2 ** (tries - 1), signal);
  }
}
