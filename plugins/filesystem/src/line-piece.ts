// One line of a page, put together from the blocks it comes in. Of a long line only a window is kept, on code
// point edges; the rest is counted and dropped, so a line of a gigabyte costs no memory.
import { decodeText, type TextEncoding } from "./text-encoding.ts";

/** What a page shows of one line. */
export interface LinePiece {
  /** From 1. */
  readonly line: number;
  /** The character the text begins with, from 1. */
  readonly column: number;
  /** Without its line ending. */
  readonly text: string;
  /** Characters of the line after the text; 0 where the line is shown to its end. */
  readonly charactersLeft: number;
}

export interface PieceWindow {
  readonly line: number;
  /** First character to keep, from 1. Characters are code points. */
  readonly column: number;
  /** Characters to keep. */
  readonly maxCharacters: number;
}

/** Collects the bytes of one line. */
export class LineAssembler {
  readonly #window: PieceWindow;
  readonly #encoding: TextEncoding;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #toSkip: number;
  #text = "";
  #kept = 0;
  #left = 0;
  #endsWithCr = false;

  constructor(window: PieceWindow, encoding: TextEncoding) {
    this.#window = window;
    this.#toSkip = window.column - 1;
    this.#encoding = encoding;
  }

  /** The next bytes of the line, without its line feed; `isRest` says that the line feed follows them. */
  add(bytes: Buffer, isRest: boolean): void {
    // A decoder is for characters that blocks cut in two; made for every line it took most of a page's time.
    if (this.#encoding === "latin1" || (isRest && this.#decoder === undefined)) {
      this.#take(decodeText(bytes, this.#encoding));
      return;
    }
    this.#decoder ??= new TextDecoder(this.#encoding, { ignoreBOM: true });
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The line is complete; `hasLineFeed` says that one follows it. A carriage return before it is part of the ending. */
  finish(hasLineFeed: boolean): LinePiece {
    if (this.#decoder !== undefined) this.#take(this.#decoder.decode());
    const { line, column } = this.#window;
    const dropsCr = hasLineFeed && this.#endsWithCr;
    if (!dropsCr) return { line, column, text: this.#text, charactersLeft: this.#left };
    if (this.#left > 0) return { line, column, text: this.#text, charactersLeft: this.#left - 1 };
    // Nothing kept where the window begins behind the carriage return.
    return { line, column, text: this.#text.slice(0, -1), charactersLeft: 0 };
  }

  #take(decoded: string): void {
    if (decoded === "") return;
    this.#endsWithCr = decoded.endsWith("\r");
    const kept = this.#keep(this.#skip(decoded));
    this.#left += countCharacters(kept);
  }

  /** Drops what lies before the window and returns the rest. */
  #skip(decoded: string): string {
    if (this.#toSkip === 0) return decoded;
    const end = offsetOfCharacter(decoded, this.#toSkip);
    this.#toSkip -= end === decoded.length ? countCharacters(decoded) : this.#toSkip;
    return decoded.slice(end);
  }

  /** Keeps what fits into the window and returns the rest. */
  #keep(decoded: string): string {
    const room = this.#window.maxCharacters - this.#kept;
    if (room === 0) return decoded;
    const end = offsetOfCharacter(decoded, room);
    const part = decoded.slice(0, end);
    this.#text += part;
    this.#kept += countCharacters(part);
    return decoded.slice(end);
  }
}

/** UTF-16 offset behind the first `count` code points; the length where there are fewer. */
function offsetOfCharacter(text: string, count: number): number {
  // No character is longer than two units, and none shorter than one.
  if (text.length <= count) return text.length;
  let offset = 0;
  for (let character = 0; character < count && offset < text.length; character++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** Code points of a text that a decoder made, in which every surrogate has its other half. */
function countCharacters(text: string): number {
  let count = text.length;
  // The engine knows which strings hold bytes only, as most do, and answers for them without looking.
  if (!/[\ud800-\udbff]/.test(text)) return count;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count--;
  return count;
}
