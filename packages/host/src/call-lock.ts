// Which calls of a plugin may run at the same time (semantics.md, 'Calls'): safe ones with different keys do, those
// with one key follow each other, and an unsafe one has the provider for itself. First come, first served.

/** The part of a tool's schema that decides. */
export interface ConcurrencyRule {
  readonly safe: boolean;
  readonly keyFields: readonly string[];
}

/** What a call needs to itself: a key, or the whole provider. */
export type Claim = { readonly kind: "key"; readonly key: string } | { readonly kind: "provider" };

/** The claim of a call. Without a rule the call is taken for unsafe. */
export function claimOf(
  toolName: string,
  rule: ConcurrencyRule | undefined,
  args: { readonly [key: string]: unknown },
): Claim {
  if (rule?.safe !== true) return { kind: "provider" };
  const values = rule.keyFields.map((field) => args[field] ?? null);
  // Without key fields every call has a key of its own: nothing is shared.
  return rule.keyFields.length === 0
    ? { kind: "key", key: "" }
    : { kind: "key", key: JSON.stringify([toolName, ...values]) };
}

interface Waiter {
  readonly claim: Claim;
  readonly start: () => void;
}

/** The lock of one provider. */
export class CallLock {
  readonly #runningKeys = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  #running = 0;
  #exclusive = false;

  /** Runs `act` when the claim is free. Throws the signal's reason where it fires before. */
  async run<T>(claim: Claim, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#acquire(claim, signal);
    try {
      return await act();
    } finally {
      this.#release(claim);
    }
  }

  #acquire(claim: Claim, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
        this.#startWaiting();
      };
      const waiter: Waiter = {
        claim,
        start: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal.addEventListener("abort", onAbort);
      this.#waiting.push(waiter);
      this.#startWaiting();
    });
  }

  /** Starts what may run, in order; a call that must wait for the provider holds back those behind it. */
  #startWaiting(): void {
    const blocked = new Set<string>();
    for (const waiter of [...this.#waiting]) {
      const { claim } = waiter;
      if (claim.kind === "provider" && this.#running > 0) return;
      if (this.#exclusive) return;
      const isBlocked =
        claim.kind === "key" &&
        claim.key !== "" &&
        (blocked.has(claim.key) || this.#runningKeys.has(claim.key));
      if (isBlocked && claim.kind === "key") {
        blocked.add(claim.key);
        continue;
      }
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      this.#running++;
      if (claim.kind === "provider") this.#exclusive = true;
      else this.#runningKeys.set(claim.key, (this.#runningKeys.get(claim.key) ?? 0) + 1);
      waiter.start();
    }
  }

  #release(claim: Claim): void {
    this.#running--;
    if (claim.kind === "provider") this.#exclusive = false;
    else {
      const left = (this.#runningKeys.get(claim.key) ?? 1) - 1;
      if (left === 0) this.#runningKeys.delete(claim.key);
      else this.#runningKeys.set(claim.key, left);
    }
    this.#startWaiting();
  }
}
