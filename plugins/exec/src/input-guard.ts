// Keeps a command under a terminal from waiting for a person: nobody can answer it. It is told the end of the input, as
// a person would with Ctrl-D; one that goes on asking is ended by its owner.
import type { RunningCommand } from "./running-command.ts";
import { waitsForInput } from "./waiting-input.ts";

const LOOK_MS = 250;
/** Reads that may get an end of input before the command counts as stuck. */
const MAX_ANSWERS = 4;
const END_OF_INPUT = new Uint8Array([4]);

/** Looks at a command now and then while it is quiet. */
export class InputGuard implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #answers = 0;
  #wasQuiet = false;

  constructor(running: RunningCommand, stuck: () => void) {
    this.#timer = setInterval(() => {
      const isQuiet = this.#wasQuiet;
      this.#wasQuiet = true;
      const { terminal } = running;
      if (!isQuiet || terminal === undefined || !waitsForInput(running.processes(), terminal.device)) return;
      this.#answers++;
      if (this.#answers <= MAX_ANSWERS) terminal.write(END_OF_INPUT);
      else stuck();
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** The command has asked for input. */
  get hasAnswered(): boolean {
    return this.#answers > 0;
  }

  output(): void {
    this.#wasQuiet = false;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
