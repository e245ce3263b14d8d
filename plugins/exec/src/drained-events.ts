// How long output is waited for after the process has ended. What it wrote fits into the kernel's buffer of a pipe or
// terminal, so a bounded amount is read past any pause; a background child that keeps the other end open, silent or
// not, then holds up nothing.
import type { Child, ChildEvents } from "./child.ts";

/** More than a pipe or terminal holds. */
const MAX_DRAINED_BYTES = 1024 * 1024 + 64 * 1024;
const QUIET_MS = 100;
const MAX_DRAIN_MS = 2_000;

/** The owner's events, with `ended` made certain to follow `exited`. Pauses must go through `pauseUnlessEnding`. */
export class DrainedEvents implements ChildEvents {
  readonly #events: ChildEvents;
  #child: Child | undefined;
  #hasExited = false;
  #hasEnded = false;
  #drained = 0;
  #readSinceTick = false;
  #timer: NodeJS.Timeout | undefined;
  /** A background process kept the output open. */
  gaveUp = false;

  constructor(events: ChildEvents) {
    this.#events = events;
  }

  /** Called with the child as soon as it is there. */
  attach(child: Child): void {
    this.#child = child;
    if (this.#hasExited) this.#drain();
  }

  /** Holds the source back, but not once the process has ended: what is left is bounded. */
  pauseUnlessEnding(): void {
    if (!this.#hasExited) this.#child?.pause();
  }

  data(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    this.#events.data(stream, bytes);
    this.#readSinceTick = true;
    if (!this.#hasExited) return;
    this.#drained += bytes.length;
    if (this.#drained > MAX_DRAINED_BYTES) this.#giveUp();
  }

  ended(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#events.ended();
  }

  exited(status: Parameters<ChildEvents["exited"]>[0]): void {
    this.#hasExited = true;
    this.#events.exited(status);
    if (this.#child !== undefined) this.#drain();
  }

  #drain(): void {
    this.#child?.resume();
    this.#tick(performance.now() + MAX_DRAIN_MS);
  }

  #tick(until: number): void {
    if (this.#hasEnded) return;
    this.#readSinceTick = false;
    this.#timer = setTimeout(() => {
      // A busy process runs timers late and before its input: let what has arrived be read first.
      setImmediate(() =>
        setImmediate(() => {
          if (this.#readSinceTick && performance.now() < until) this.#tick(until);
          else this.#giveUp();
        }),
      );
    }, QUIET_MS);
  }

  #giveUp(): void {
    if (this.#hasEnded) return;
    this.gaveUp = true;
    this.#child?.close();
  }
}
