// The signal a tool sees: the host's cancellation, the end of the plugin, or the deadline a little before it
// strikes, since nothing can be sent after it has (architecture.md, 'Traps').
import { Code, GrpcError, type HandlerContext } from "@pluggableharness/grpc";
import { ToolError } from "@pluggableharness/protocol";

/** The share of a deadline kept for the tool's last word, and its bound in milliseconds. */
const MARGIN_SHARE = 0.1;
const MAX_MARGIN_MS = 250;

/** One per call; disposed with it. */
export class CallSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #source: AbortSignal;
  readonly #onAbort = (): void => this.#controller.abort(asToolError(this.#source.reason));

  constructor({ signal, deadline }: HandlerContext) {
    this.#source = signal;
    signal.addEventListener("abort", this.#onAbort);
    if (signal.aborted) this.#onAbort();
    if (deadline !== undefined) {
      const leftMs = Math.max(0, deadline - performance.now());
      const marginMs = Math.min(leftMs * MARGIN_SHARE, MAX_MARGIN_MS);
      this.#timer = setTimeout(
        () =>
          this.#controller.abort(
            new ToolError("timeout", `the call did not end within its ${Math.round(leftMs)} ms`),
          ),
        Math.min(leftMs - marginMs, 2 ** 31 - 1),
      );
    }
  }

  /** Aborts with a ToolError of category cancelled or timeout. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#source.removeEventListener("abort", this.#onAbort);
  }
}

function asToolError(reason: unknown): ToolError {
  if (!(reason instanceof GrpcError)) return new ToolError("cancelled", "the call was cancelled");
  return new ToolError(reason.code === Code.DEADLINE_EXCEEDED ? "timeout" : "cancelled", reason.message);
}
