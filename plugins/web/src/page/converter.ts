// Owns the worker thread that converts bodies, one job at a time; thread-job.ts watches each. A thread that was ended
// is replaced at the next job, an idle one ends by itself.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Turns } from "../turns.ts";
import type { ConvertJob } from "./convert-job.ts";
import { type ConvertOutcome, runJob } from "./thread-job.ts";

/** The thread's heap; a page that needs more is converted by the last resort. */
const HEAP_MIB = 44;
const YOUNG_HEAP_MIB = 4;
/** What the process may grow by from the start of the thread. */
const MAX_GROWTH_BYTES = 94 * 1024 * 1024;
const IDLE_MS = 30_000;

interface Thread {
  readonly worker: Worker;
  readonly maxRssBytes: number;
}

/** Disposed with the plugin. */
export class Converter implements AsyncDisposable {
  readonly #turns = new Turns(1);
  #thread: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Converts after the jobs before it, on a copy of its bytes. Rejects with the signal's reason. */
  convert(job: ConvertJob, limitMs: number, signal: AbortSignal): Promise<ConvertOutcome> {
    return this.#turns.run(() => this.#run(job, limitMs, signal), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #run(job: ConvertJob, limitMs: number, signal: AbortSignal): Promise<ConvertOutcome> {
    clearTimeout(this.#idle);
    this.#thread ??= startThread();
    const { worker, maxRssBytes } = this.#thread;
    worker.ref();
    const { outcome, isThreadOver } = await runJob(worker, job, { limitMs, maxRssBytes, signal });
    if (isThreadOver) this.#thread = undefined;
    else {
      worker.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
    if (outcome === undefined) throw signal.reason;
    return outcome;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }
}

function startThread(): Thread {
  const maxRssBytes = process.memoryUsage.rss() + MAX_GROWTH_BYTES;
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
  // One that is ended may report an error when nobody listens any more; unheard, that would end the plugin.
  worker.on("error", () => {});
  return { worker, maxRssBytes };
}
