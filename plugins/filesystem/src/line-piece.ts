// One line of a page, put together from the blocks it comes in. Of a long line only a window is kept, on code
// point edges; the rest is counted and dropped, so a line of a gigabyte costs no memory.
import type { TextEncoding } from "./text-encoding.ts";

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

const decoderNames: Readonly<Record<TextEncoding, string>> = {
  "utf-8": "utf-8",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  // The label latin1 means windows-1252 to a TextDecoder, so Latin-1 is decoded by Buffer.
  latin1: "latin1",
};

/** Collects the bytes of one line. */
export class LineAssembler {
  readonly #window: PieceWindow;
  readonly #decode: (bytes: Buffer, more: boolean) => string;
  #toSkip: number;
  #text = "";
  #kept = 0;
  #left = 0;
  #endsWithCr = false;

  constructor(window: PieceWindow, encoding: TextEncoding) {
    this.#window = window;
    this.#toSkip = window.column - 1;
    if (encoding === "latin1") {
      this.#decode = (bytes) => bytes.toString("latin1");
    } else {
      const decoder = new TextDecoder(decoderNames[encoding], { ignoreBOM: true });
      this.#decode = (bytes, more) => decoder.decode(bytes, { stream: more });
    }
  }

  /** The next bytes of the line, without its line feed. */
  add(bytes: Buffer): void {
    this.#take(this.#decode(bytes, true));
  }

  /** The line is complete; `hasLineFeed` says that one follows it. A carriage return before it is part of the ending. */
  finish(hasLineFeed: boolean): LinePiece {
    this.#take(this.#decode(Buffer.alloc(0), false));
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
  let pairs = 0;
  for (const _ of text.matchAll(/[\ud800-\udbff]/g)) pairs++;
  return text.length - pairs;
}
