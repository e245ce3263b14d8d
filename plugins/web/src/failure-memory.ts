// What has failed again and again is not asked for again and again: a model that repeats a refused request is told so
// without another request.
import { ToolError } from "@pluggableharness/protocol";

/** So many refusals of one address within the window, and it is left alone for the rest of it. */
const MAX_FAILURES = 5;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 256;

interface Failure {
  count: number;
  readonly since: number;
  readonly status: number;
}

export class FailureMemory {
  readonly #failures = new Map<string, Failure>();

  /** Throws where the address has failed too often of late. */
  check(url: string, now = performance.now()): void {
    const failure = this.#recent(url, now);
    if (failure === undefined || failure.count < MAX_FAILURES) return;
    const leftMs = Math.ceil(failure.since + WINDOW_MS - now);
    throw new ToolError(
      "execution_failed",
      `not asked again: this address has answered ${failure.status} to ${failure.count} requests within a minute; try another address, or wait ${Math.ceil(leftMs / 1_000)} s`,
      { details: { reason: "repeated_failure", status: failure.status, retry_after_ms: leftMs } },
    );
  }

  note(url: string, status: number, now = performance.now()): void {
    const failure = this.#recent(url, now);
    if (failure !== undefined) {
      failure.count++;
      return;
    }
    this.#failures.delete(url);
    this.#failures.set(url, { count: 1, since: now, status });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
  }

  #recent(url: string, now: number): Failure | undefined {
    const failure = this.#failures.get(url);
    return failure !== undefined && now - failure.since < WINDOW_MS ? failure : undefined;
  }
}
