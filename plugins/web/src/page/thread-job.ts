// One conversion on a worker thread, watched: at its deadline, at its bound for memory, or when the call is cancelled,
// the thread is ended, whatever it is doing.
import type { Worker } from "node:worker_threads";
import type { ConvertedPage, ConvertJob } from "./convert-job.ts";

const MEMORY_CHECK_MS = 10;

export type ConvertOutcome =
  | { readonly kind: "page"; readonly page: ConvertedPage }
  /** The body is no valid one of its kind. */
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "too_much"; readonly reason: "time" | "memory" };

/** What the thread sends. */
export type Reply = { readonly page: ConvertedPage } | { readonly failure: string };

export interface JobLimits {
  readonly limitMs: number;
  /** Of the whole process: buffers outside the thread's heap count only there. */
  readonly maxRssBytes: number;
  readonly signal: AbortSignal;
}

export interface JobEnd {
  /** Undefined where the job was cancelled. */
  readonly outcome: ConvertOutcome | undefined;
  /** The thread is gone, and its memory with it. */
  readonly isThreadOver: boolean;
}

/** Runs a job to its end, which is always one of these; never rejects. */
export function runJob(
  worker: Worker,
  job: ConvertJob,
  { limitMs, maxRssBytes, signal }: JobLimits,
): Promise<JobEnd> {
  return new Promise((resolve) => {
    const settle = (outcome: ConvertOutcome | undefined, isThreadOver: boolean): void => {
      clearTimeout(timer);
      clearInterval(memory);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (isThreadOver) void worker.terminate().then(() => resolve({ outcome, isThreadOver }));
      else resolve({ outcome, isThreadOver });
    };
    const onAbort = (): void => settle(undefined, true);
    const onMessage = (reply: Reply): void => settle(outcomeOf(reply), false);
    const onError = (error: unknown): void => settle(causeOf(error), true);
    // Whoever ended it: the plugin is closing, or a library did what it should not.
    const onExit = (): void => settle({ kind: "invalid", reason: "its thread was ended" }, true);
    const timer = setTimeout(() => settle({ kind: "too_much", reason: "time" }, true), limitMs);
    const memory = setInterval(() => {
      if (process.memoryUsage.rss() > maxRssBytes) settle({ kind: "too_much", reason: "memory" }, true);
    }, MEMORY_CHECK_MS);
    signal.addEventListener("abort", onAbort);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(job);
  });
}

function outcomeOf(reply: Reply): ConvertOutcome {
  return "page" in reply ? { kind: "page", page: reply.page } : { kind: "invalid", reason: reply.failure };
}

function causeOf(error: unknown): ConvertOutcome {
  const isMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? { kind: "too_much", reason: "memory" } : { kind: "invalid", reason: String(error) };
}
