// One clock for a whole exchange, from the first name lookup to the last character of the text. Whatever runs under
// it can say which phase it is in, so that a timeout names what was waited for.
import { ToolError } from "@pluggableharness/protocol";

/** Aborts `signal` when the time is over, or when the call's own signal fires. */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #endsAt: number;
  readonly #totalMs: number;
  readonly #timer: NodeJS.Timeout;
  #phaseTimer: NodeJS.Timeout | undefined;
  #phase = "starting";
  readonly #onAbort = (): void => this.#controller.abort(this.#outer.reason);

  constructor(outer: AbortSignal, totalMs: number) {
    this.#outer = outer;
    this.#totalMs = totalMs;
    this.#endsAt = performance.now() + totalMs;
    outer.addEventListener("abort", this.#onAbort);
    if (outer.aborted) this.#onAbort();
    this.#timer = setTimeout(() => this.#expire(totalMs), totalMs);
  }

  /** Its reason is a ToolError. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is going on, in words that follow "while". */
  get phase(): string {
    return this.#phase;
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Begins a phase, which ends with the next one; `limitMs` is a limit of its own. */
  enter(phase: string, limitMs?: number): void {
    clearTimeout(this.#phaseTimer);
    this.#phase = phase;
    if (limitMs !== undefined && limitMs < this.#totalMs) {
      this.#phaseTimer = setTimeout(() => this.#expire(limitMs), limitMs);
    }
  }

  /** The same phase, told more exactly. */
  rename(phase: string): void {
    this.#phase = phase;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#phaseTimer);
    this.#outer.removeEventListener("abort", this.#onAbort);
    // Whatever may still run under it has nobody to run for.
    this.#controller.abort(new ToolError("cancelled", "the call is over"));
  }

  #expire(limitMs: number): void {
    this.#controller.abort(
      new ToolError("timeout", `gave up after ${limitMs} ms while ${this.#phase}`, {
        details: { phase: this.#phase, limit_ms: limitMs },
      }),
    );
  }
}
