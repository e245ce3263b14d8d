// When a plugin that fails again and again is not started any more for a while. Pure: the caller has the clock.

export interface BreakerLimits {
  /** So many failures within `windowMs` open it. */
  readonly maxFailures: number;
  readonly windowMs: number;
  /** How long it stays open. The first failure after that opens it again, while those before are in the window. */
  readonly openMs: number;
}

/** Three failures in a minute, then half a minute of rest. */
export const defaultLimits: BreakerLimits = { maxFailures: 3, windowMs: 60_000, openMs: 30_000 };

/** Counts the failures of one plugin. */
export class CircuitBreaker {
  readonly #limits: BreakerLimits;
  /** When they happened; no more than matter. */
  #failures: number[] = [];
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(limits: BreakerLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Notes a failure. */
  failed(nowMs: number): void {
    const { maxFailures, windowMs, openMs } = this.#limits;
    this.#failures = [...this.#failures, nowMs].filter((at) => at > nowMs - windowMs).slice(-maxFailures);
    if (this.#failures.length === maxFailures) this.#openUntil = nowMs + openMs;
  }

  /** For how long it is still open; 0 where it is not. */
  openForMs(nowMs: number): number {
    return Math.max(0, this.#openUntil - nowMs);
  }
}
