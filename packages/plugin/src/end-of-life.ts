// Everything that ends a plugin, and ends it once (go-plugin.md, 'End of life'): Shutdown, SIGTERM, a host that
// is gone, a host that never came, a crash. SIGINT is the host's business: it reaches the whole terminal group.
import type { Logger } from "./logger.ts";

/** After the broker stream ended: time for a Shutdown that is on its way. */
const HOST_GONE_GRACE_MS = 1_000;
/** From the handshake to the first connection. */
const FIRST_CONNECTION_MS = 60_000;
const PARENT_POLL_MS = 1_000;
/** Longest the orderly end may take; the host sends SIGKILL at 2 s. */
const ORDERLY_END_MS = 1_500;
/** After a crash nothing can be trusted to settle, but children must still be told. */
const CRASH_END_MS = 500;

export interface EndSteps {
  readonly log: Logger;
  /** Goes straight to stderr: after a crash nothing else can be trusted to arrive. */
  readonly crashLog: Logger;
  /** Stops serving, aborts calls, closes the state, flushes logs. Awaited within a bound. */
  readonly stop: () => Promise<void>;
  /** Removes the socket; synchronous and safe to repeat. */
  readonly removeSocket: () => void;
}

/** Watches for the end of the plugin. Made before the handshake line is written. */
export class EndOfLife {
  readonly #steps: EndSteps;
  readonly #parent = process.ppid;
  readonly #firstConnection: NodeJS.Timeout;
  #ending = false;

  constructor(steps: EndSteps) {
    this.#steps = steps;
    process.on("exit", () => steps.removeSocket());
    process.on("SIGINT", () => {});
    process.on("SIGTERM", () => this.end("SIGTERM"));
    process.on("SIGHUP", () => this.end("SIGHUP"));
    process.on("uncaughtException", (error) => this.#crash("uncaught exception", error));
    process.on("unhandledRejection", (reason) => this.#crash("unhandled rejection", reason));
    // A dead host reads neither; without listeners the failed write would be an uncaught exception.
    process.stdout.on("error", () => {});
    process.stderr.on("error", () => {});
    this.#firstConnection = setTimeout(
      () => this.end("no host connected within a minute"),
      FIRST_CONNECTION_MS,
    );
    setInterval(() => {
      if (process.ppid !== this.#parent) this.end("the host process is gone");
    }, PARENT_POLL_MS).unref();
  }

  /** A host has connected. */
  connected(): void {
    clearTimeout(this.#firstConnection);
  }

  /** The host's broker stream ended: it is shutting us down, or it is gone. */
  hostGone(): void {
    setTimeout(() => this.end("the host closed its connection"), HOST_GONE_GRACE_MS).unref();
  }

  /** Ends the process in order, with exit code 0. The first reason counts. */
  end(reason: string): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#steps.log.debug("ending", { reason });
    this.#finish(0, ORDERLY_END_MS);
  }

  #crash(kind: string, error: unknown): void {
    this.#steps.crashLog.error(`the plugin crashed: ${kind}`, { error });
    if (this.#ending) process.exit(1);
    this.#ending = true;
    this.#finish(1, CRASH_END_MS);
  }

  #finish(exitCode: number, withinMs: number): void {
    // Not unref'd: it is what ends the process when a step hangs.
    setTimeout(() => process.exit(exitCode), withinMs);
    this.#steps.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        this.#steps.log.error("the plugin could not end in order", { error });
        process.exit(1);
      },
    );
  }
}
