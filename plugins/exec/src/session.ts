// One program in the background under a terminal: its latest output, its screen, and how it ended.
import { ToolError } from "@pluggableharness/plugin";
import type { ExitStatus, TerminalSize } from "./child.ts";
import type { EndReport } from "./end-processes.ts";
import type { OutputLog } from "./output-log.ts";
import { OutputRing } from "./output-ring.ts";
import type { RunningCommand } from "./running-command.ts";
import type { TerminalScreen } from "./terminal-screen.ts";
import { waitsForInput } from "./waiting-input.ts";

const KEPT_BYTES = 1024 * 1024;
/** Output that the screen has not shown yet; with more the program is held back. */
const MAX_UNSHOWN_BYTES = 512 * 1024;
/** Input that the program has not taken yet. */
const MAX_PENDING_INPUT = 256 * 1024;

export interface SessionFacts {
  readonly id: string;
  /** The kernel's session it belongs to. */
  readonly owner: string;
  readonly command: string;
  readonly directory: string;
}

export class Session {
  readonly facts: SessionFacts;
  readonly startedAt = new Date();
  readonly ring = new OutputRing(KEPT_BYTES);
  readonly log: OutputLog;
  readonly screen: TerminalScreen;
  #running: RunningCommand | undefined;
  #status: ExitStatus | undefined;
  #stoppedBy: EndReport | undefined;
  #hasEnded = false;
  #unshown = 0;
  #isPaused = false;
  #shown: Promise<void> = Promise.resolve();
  #changedAt = performance.now();
  readonly #waiters = new Set<() => void>();

  constructor(facts: SessionFacts, log: OutputLog, screen: TerminalScreen) {
    this.facts = facts;
    this.log = log;
    this.screen = screen;
  }

  /** Called once, with what was started. */
  attach(running: RunningCommand): void {
    this.#running = running;
  }

  /** Undefined while it runs; known only when all output is there. */
  get status(): ExitStatus | undefined {
    return this.#hasEnded ? this.#status : undefined;
  }

  /** It was ended by exec_kill. */
  get stoppedBy(): EndReport | undefined {
    return this.#stoppedBy;
  }

  get running(): RunningCommand {
    if (this.#running === undefined) throw new Error("the session has not been started");
    return this.#running;
  }

  get quietMs(): number {
    return performance.now() - this.#changedAt;
  }

  /** Sits in a read of its terminal. */
  get waitsForInput(): boolean {
    const { terminal } = this.running;
    if (this.status !== undefined || terminal === undefined) return false;
    return waitsForInput(this.running.processes(), terminal.device);
  }

  data(bytes: Uint8Array): void {
    this.ring.add(bytes);
    this.log.write(bytes);
    this.#show(bytes);
    this.#changed();
  }

  exited(status: ExitStatus): void {
    this.#status = status;
    this.#settle();
  }

  /** No more output. */
  ended(): void {
    this.#hasEnded = true;
    this.#settle();
  }

  write(bytes: Uint8Array): void {
    const { terminal } = this.running;
    if (terminal === undefined) return;
    if (terminal.pendingInput + bytes.length > MAX_PENDING_INPUT) {
      throw new ToolError(
        "execution_failed",
        `the program has not taken ${terminal.pendingInput} bytes that were written before; nothing more was written`,
      );
    }
    terminal.write(bytes);
  }

  resize(size: TerminalSize): void {
    if (this.status !== undefined) return;
    this.running.terminal?.resize(size);
    this.screen.resize(size);
  }

  /** Ends the program and its children; the report of the first time where it is called again. */
  async end(): Promise<EndReport | undefined> {
    if (this.status === undefined) {
      const report = await this.running.end(["SIGHUP", "SIGTERM"]);
      this.#stoppedBy ??= report;
      this.running.child.close();
      await this.change(AbortSignal.timeout(1_000), () => this.status !== undefined);
    }
    return this.#stoppedBy;
  }

  /** Resolves when the screen shows all output so far. */
  async untilShown(): Promise<void> {
    await this.#shown;
  }

  /** Resolves when `isTrue` holds after a change, or the signal aborts. */
  async change(signal: AbortSignal, isTrue: () => boolean): Promise<void> {
    while (!isTrue() && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiters.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiters.add(wake);
        signal.addEventListener("abort", wake);
      });
    }
  }

  /** Forgets everything but the log's file. */
  close(): void {
    this.log.close();
    this.screen[Symbol.dispose]();
  }

  #settle(): void {
    if (this.status !== undefined) this.log.close();
    this.#changed();
  }

  #show(bytes: Uint8Array): void {
    this.#unshown += bytes.length;
    if (this.#unshown > MAX_UNSHOWN_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#running?.pause();
    }
    this.#shown = this.#shown.then(async () => {
      await this.screen.write(bytes);
      this.#unshown -= bytes.length;
      if (!this.#isPaused || this.#unshown > MAX_UNSHOWN_BYTES / 2) return;
      this.#isPaused = false;
      this.#running?.child.resume();
    });
  }

  #changed(): void {
    this.#changedAt = performance.now();
    for (const wake of this.#waiters) wake();
  }
}
