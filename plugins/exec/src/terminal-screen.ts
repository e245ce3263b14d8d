// What a terminal would show: bytes in, lines out. A real terminal emulator keeps the screen; lines that have scrolled
// off it can change no more and are handed over at once, so memory stays bounded whatever is fed.
import type { IMarker, Terminal } from "@xterm/headless";
import type { TerminalSize } from "./child.ts";

/** A byte scrolls by one line at the most, so this many bytes cannot outrun the scrollback. */
const SLICE_BYTES = 1_024;
const SCROLLBACK_LINES = 2 * SLICE_BYTES;

export const MAX_COLUMNS = 300;
export const MAX_ROWS = 200;

/** The screen as it is. */
export interface ScreenPicture {
  readonly lines: string[];
  readonly cursorColumn: number;
  readonly cursorRow: number;
  /** A full-screen program has switched to the alternate screen. */
  readonly alternate: boolean;
}

/** One terminal. */
export class TerminalScreen implements Disposable {
  readonly #terminal: Terminal;
  readonly #scrolledOff: (line: string) => void;
  #topOfScreen: IMarker | undefined;
  /** The line being put together from wrapped rows. */
  #wrapped: string | undefined;

  private constructor(terminal: Terminal, scrolledOff: (line: string) => void) {
    this.#terminal = terminal;
    this.#scrolledOff = scrolledOff;
    // "Repeat the last character a billion times" is one short sequence and gigabytes of memory.
    terminal.parser.registerCsiHandler(
      { final: "b" },
      ([times]) => typeof times === "number" && times > MAX_COLUMNS * MAX_ROWS,
    );
    this.#mark();
  }

  /** `scrolledOff` gets each line that leaves the screen at its top, in order. */
  static async open(
    size: TerminalSize,
    options: { readonly newlineReturns: boolean; readonly scrolledOff?: (line: string) => void },
  ): Promise<TerminalScreen> {
    // Loaded at first use: nothing before needs it, and it takes 40 ms.
    const { default: xterm } = (await import("@xterm/headless")) as unknown as {
      // Its types declare an ES module, but what is published is CommonJS: all of it is the default export.
      default: typeof import("@xterm/headless");
    };
    const terminal = new xterm.Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: SCROLLBACK_LINES,
      convertEol: options.newlineReturns,
      allowProposedApi: true,
    });
    return new TerminalScreen(terminal, options.scrolledOff ?? (() => {}));
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Resolves when all of it has been shown. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      const isLast = at + SLICE_BYTES >= bytes.length;
      const written = new Promise<void>((resolve) => {
        this.#terminal.write(replaceZeros(slice), () => {
          this.#harvest();
          resolve();
        });
      });
      // Only the last slice, and a few on the way, are waited for: each wait costs a timer.
      if (isLast || at % (64 * SLICE_BYTES) === 0) await written;
    }
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
    this.#mark();
  }

  /** The visible screen. */
  picture(): ScreenPicture {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < this.#terminal.rows; row++) {
      lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "");
    }
    return {
      lines,
      cursorColumn: buffer.cursorX,
      cursorRow: buffer.cursorY,
      alternate: buffer.type === "alternate",
    };
  }

  /** Hands over the lines of the screen as well, without the empty ones at its end: the last use of the terminal. */
  finish(): void {
    this.#harvest();
    const { normal, alternate, active } = this.#terminal.buffer;
    for (const buffer of active.type === "alternate" ? [normal, alternate] : [normal]) {
      let last = buffer.length - 1;
      while (last >= buffer.baseY && buffer.getLine(last)?.translateToString(true) === "") last--;
      for (let row = buffer.baseY; row <= last; row++) this.#handOver(buffer.getLine(row));
      this.#flush();
    }
  }

  [Symbol.dispose](): void {
    this.#terminal.dispose();
  }

  #harvest(): void {
    const { active, normal } = this.#terminal.buffer;
    if (active.type === "alternate") return;
    const from = this.#topOfScreen?.isDisposed === false ? this.#topOfScreen.line : 0;
    for (let row = Math.max(0, from); row < normal.baseY; row++) this.#handOver(normal.getLine(row));
    this.#mark();
  }

  /** Remembers the top of the screen: the mark moves with its line. */
  #mark(): void {
    const { active } = this.#terminal.buffer;
    if (active.type === "alternate") return;
    this.#topOfScreen?.dispose();
    this.#topOfScreen = this.#terminal.registerMarker(-active.cursorY);
  }

  #handOver(line: ReturnType<Terminal["buffer"]["normal"]["getLine"]>): void {
    if (line === undefined) return;
    // A row that goes on in the next one keeps its spaces.
    if (!line.isWrapped) this.#flush();
    this.#wrapped = (this.#wrapped ?? "") + line.translateToString(false);
  }

  #flush(): void {
    if (this.#wrapped !== undefined) this.#scrolledOff(this.#wrapped.trimEnd());
    this.#wrapped = undefined;
  }
}

/** Terminals drop NUL; a person wants to know of it. */
function replaceZeros(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0)) return bytes;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, from)) {
    parts.push(bytes.subarray(from, at), ZERO_PICTURE);
    from = at + 1;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

const ZERO_PICTURE = Buffer.from("\u2400");
