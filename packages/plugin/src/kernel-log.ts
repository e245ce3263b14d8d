// Relays log records to the kernel in batches and falls back to stderr: for records nobody takes, for kernels
// that answer an error to this form of Log, and at the end of life when the callback channel is already gone.
import { LogLevel as WireLevel } from "@pluggableharness/protocol/wire";
import type { Kernel } from "./kernel.ts";
import { type LogRecord, stderrSink } from "./logger.ts";

/** Records held while a batch is under way; beyond it they go to stderr. */
export const MAX_PENDING = 1_000;
const MAX_BATCH = 100;
const TIMEOUT_MS = 5_000;

const wireLevels = {
  trace: WireLevel.TRACE,
  debug: WireLevel.DEBUG,
  info: WireLevel.INFO,
  warn: WireLevel.WARN,
  error: WireLevel.ERROR,
} as const;

/** One relay per process. */
export class KernelLog {
  readonly #kernel: Kernel;
  #pending: LogRecord[] = [];
  #sending: Promise<void> | undefined;
  /** Set by the first failure: the kernel's July 2026 form refuses every later record as well. */
  #refused = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Takes a record; returns at once. */
  readonly sink = (record: LogRecord): void => {
    if (this.#refused || this.#pending.length >= MAX_PENDING) {
      stderrSink(record);
      return;
    }
    this.#pending.push(record);
    this.#sending ??= this.#send();
  };

  /** Resolves when what is pending was sent or written to stderr; after `graceMs` the rest goes to stderr. */
  async flush(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.#sending, grace]);
    clearTimeout(timer);
    this.#refuse();
  }

  async #send(): Promise<void> {
    while (this.#pending.length > 0) {
      const session = this.#pending[0]?.sessionId;
      const end = this.#pending.findIndex((record) => record.sessionId !== session);
      const batch = this.#pending.slice(0, Math.min(end === -1 ? this.#pending.length : end, MAX_BATCH));
      try {
        await this.#kernel.call(
          "log",
          {
            ...(session === undefined ? {} : { sessionId: session }),
            entries: batch.map((record) => ({
              level: wireLevels[record.level],
              logger: record.logger,
              message: record.message,
              fields: record.fields,
              time: {
                seconds: BigInt(Math.floor(record.time.getTime() / 1000)),
                nanos: record.time.getMilliseconds() * 1e6,
              },
            })),
          },
          { timeoutMs: TIMEOUT_MS },
        );
        this.#pending.splice(0, batch.length);
      } catch {
        // Not reported: the records themselves appear on stderr, and a report would have nowhere else to go.
        this.#refuse();
      }
    }
    this.#sending = undefined;
  }

  #refuse(): void {
    this.#refused = true;
    const left = this.#pending;
    this.#pending = [];
    for (const record of left) stderrSink(record);
  }
}
