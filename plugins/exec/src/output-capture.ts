// What is kept of a command's output: its ends in memory for the result's text, everything in a log.
import type { TerminalSize } from "./child.ts";
import { type CutText, cutMiddle } from "./cut-text.ts";
import { HeadTail } from "./head-tail.ts";
import type { OutputLog } from "./output-log.ts";
import { needsTerminal, shownText } from "./shown-text.ts";
import { completeLength, Utf8Carry } from "./utf8-carry.ts";

/** Raw bytes kept at either end: escapes and redraws are much larger than what they show. */
const KEPT_BYTES = 512 * 1024;
/** Less than this is in the result, or at worst still in memory when the result is made. */
const UNLOGGED_BYTES = 4 * 1024;

/** A result's text. */
export interface CapturedText extends CutText {
  readonly logPath?: string;
  readonly logProblem?: string;
}

/** One per call. */
export class OutputCapture {
  readonly #ends = new HeadTail(KEPT_BYTES);
  readonly #carries = { stdout: new Utf8Carry(), stderr: new Utf8Carry() };
  readonly #log: OutputLog;
  #logged = false;

  constructor(log: OutputLog) {
    this.#log = log;
  }

  /** Bytes that were kept or counted. */
  get totalBytes(): number {
    return this.#ends.total;
  }

  add(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    this.#addWhole(this.#carries[stream].push(bytes));
  }

  /** The text at the end. Closes the log. */
  async finish(size: TerminalSize, newlineReturns: boolean, maxBytes: number): Promise<CapturedText> {
    for (const carry of Object.values(this.#carries)) this.#addWhole(carry.rest());
    const kept = this.#ends.take();
    const { head, tail, omitted } = withoutMiddle(kept, maxBytes);
    const hasGap = omitted > 0;
    // A line that lost its beginning says nothing right.
    const cleanTail = hasGap ? tail.subarray(lineStart(tail)) : tail;
    const headText = await shownText(hasGap ? head : Buffer.concat([head, tail]), size, newlineReturns);
    const ends = {
      head: headText,
      tail: hasGap ? await shownText(cleanTail, size, newlineReturns) : "",
      omittedBytes: omitted + (tail.length - cleanTail.length),
    };
    const fits = !hasGap && Buffer.byteLength(headText) <= maxBytes;
    if (!fits && !this.#logged) this.#log.write(Buffer.concat([kept.head, kept.tail]));
    this.#log.close();
    const isLogged = this.#log.isWritten;
    const problem = this.#log.problem;
    const cut = cutMiddle(ends, maxBytes, isLogged ? `; the full output is in ${this.#log.path}` : "");
    return {
      ...cut,
      ...(isLogged && { logPath: this.#log.path }),
      ...(problem !== undefined && { logProblem: problem }),
    };
  }

  /** For a call whose result nobody will see. */
  abandon(): void {
    this.#log.close();
  }

  #addWhole(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#ends.add(bytes);
    if (this.#logged) this.#log.write(bytes);
    else if (this.#ends.total > UNLOGGED_BYTES) {
      this.#logged = true;
      // All there was so far is in memory still: a chunk is far smaller than what is kept.
      const { head, tail } = this.#ends.take();
      this.#log.write(Buffer.concat([head, tail]));
    }
  }
}

interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly omitted: number;
}

/** Plain text shows as it is: of that no more is needed than what a result can hold. */
function withoutMiddle(ends: Ends, maxBytes: number): Ends {
  const { head, tail, omitted } = ends;
  if (head.length + tail.length <= 2 * maxBytes || needsTerminal(head) || needsTerminal(tail)) return ends;
  const all = omitted > 0 ? undefined : Buffer.concat([head, tail]);
  const first = (all ?? head).subarray(0, maxBytes);
  const last = (all ?? tail).subarray(-maxBytes);
  const whole = first.subarray(0, completeLength(first));
  return {
    head: whole,
    tail: last,
    omitted: omitted + head.length + tail.length - whole.length - last.length,
  };
}

/** After the first line, where the text has one near; at the first whole character else. */
function lineStart(bytes: Buffer): number {
  const newline = bytes.indexOf(10);
  if (newline !== -1 && newline < bytes.length / 2) return newline + 1;
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
