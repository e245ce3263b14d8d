// So many at a time, in the order in which they came: services count requests per key. A waiter whose call ends leaves
// the line.

export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(parallel: number) {
    this.#free = parallel;
  }

  /** Runs `work` when it is its turn. Rejects with the signal's reason where that fires before. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(admit);
    });
  }
}
