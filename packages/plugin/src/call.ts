// What an operation knows of the call it serves.
import type { Kernel } from "./kernel.ts";
import type { Logger } from "./logger.ts";

/** The kernel's `CallContext`: which session and turn, and where relative paths start. */
export interface CallContext {
  readonly sessionId: string;
  readonly turnId: string;
  /** Empty where the kernel gave none. */
  readonly workingDirectory: string;
}

/** Given to `preview`: no kernel, since a preview has no effect on anything. */
export interface PreviewCall<State> {
  /** What `open` returned for the current configuration. */
  readonly state: State;
  /** Aborts when nobody waits for the answer any more. Its reason is a ToolError: `throwIfAborted()` is right. */
  readonly signal: AbortSignal;
  readonly context: CallContext;
}

/** Given to `invoke`. */
export interface Call<State> extends PreviewCall<State> {
  /** The kernel's id of the call. */
  readonly id: string;
  /**
   * When the host stops waiting, on the clock of `performance.now()`; undefined where it waits for ever. `signal`
   * fires a little earlier, so that an honest last word still arrives.
   */
  readonly deadline: number | undefined;
  readonly kernel: Kernel;
  /** Log lines that carry the call's id. */
  readonly log: Logger;
}
