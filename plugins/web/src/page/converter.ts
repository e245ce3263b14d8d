// Owns the worker thread that converts bodies: one job at a time, each with a deadline and a bound for memory, at which
// the thread is ended, whatever it is doing. A cancelled call ends it too. An idle thread ends by itself.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ConvertedPage, ConvertJob } from "./convert-job.ts";

/** The thread's heap; a page that needs more is converted by the last resort. */
const HEAP_MIB = 48;
const YOUNG_HEAP_MIB = 4;
/** What the process may grow by from the start of the thread: buffers outside the heap count only here. */
const MAX_GROWTH_BYTES = 104 * 1024 * 1024;
const MEMORY_CHECK_MS = 10;
const IDLE_MS = 30_000;

export type ConvertOutcome =
  | { readonly kind: "page"; readonly page: ConvertedPage }
  /** The body is no valid one of its kind. */
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "too_much"; readonly reason: "time" | "memory" };

type Reply = { readonly page: ConvertedPage } | { readonly failure: string };

/** Disposed with the plugin. */
export class Converter implements AsyncDisposable {
  #worker: Worker | undefined;
  #baseBytes = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** Converts after the jobs before it, on a copy of its bytes. Rejects with the signal's reason. */
  convert(job: ConvertJob, limitMs: number, signal: AbortSignal): Promise<ConvertOutcome> {
    const outcome = this.#turn.then(async () => {
      signal.throwIfAborted();
      return await this.#run(job, limitMs, signal);
    });
    this.#turn = outcome.catch(() => {});
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #run(job: ConvertJob, limitMs: number, signal: AbortSignal): Promise<ConvertOutcome> {
    clearTimeout(this.#idle);
    if (this.#worker === undefined) {
      this.#baseBytes = process.memoryUsage.rss();
      this.#worker = startWorker();
    }
    const worker = this.#worker;
    const baseBytes = this.#baseBytes;
    const watches: (() => void)[] = [];
    try {
      return await new Promise<ConvertOutcome>((resolve, reject) => {
        const stop = (outcome: ConvertOutcome): void => {
          this.#worker = undefined;
          // Resolved when the thread has let go of its memory.
          void worker.terminate().then(() => resolve(outcome));
        };
        const onAbort = (): void => {
          this.#worker = undefined;
          void worker.terminate().then(() => reject(signal.reason));
        };
        const onMessage = (reply: Reply): void =>
          resolve(
            "page" in reply ? { kind: "page", page: reply.page } : { kind: "invalid", reason: reply.failure },
          );
        const onError = (error: unknown): void => {
          this.#worker = undefined;
          const isMemory =
            error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
          resolve(
            isMemory ? { kind: "too_much", reason: "memory" } : { kind: "invalid", reason: String(error) },
          );
        };
        const timer = setTimeout(() => stop({ kind: "too_much", reason: "time" }), limitMs);
        const memory = setInterval(() => {
          if (process.memoryUsage.rss() - baseBytes > MAX_GROWTH_BYTES)
            stop({ kind: "too_much", reason: "memory" });
        }, MEMORY_CHECK_MS);
        signal.addEventListener("abort", onAbort);
        worker.on("message", onMessage);
        worker.on("error", onError);
        watches.push(
          () => clearTimeout(timer),
          () => clearInterval(memory),
          () => signal.removeEventListener("abort", onAbort),
          () => worker.off("message", onMessage),
          // A thread that was ended may still report an error; unheard, that would end the plugin.
          () => worker.off("error", onError).on("error", () => {}),
        );
        worker.ref();
        worker.postMessage(job);
      });
    } finally {
      for (const unwatch of watches) unwatch();
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function startWorker(): Worker {
  // Beside the bundle it is a bundle of its own; in the source tree it is the source.
  const isSource = __filename.endsWith(".ts");
  const worker = new Worker(join(__dirname, isSource ? "convert-worker.ts" : "convert-worker.js"), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
    execArgv: isSource ? ["--conditions=source"] : [],
    env: {},
    stdout: true,
    stderr: true,
  });
  // What a library prints is nobody's business, and must not pile up.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
