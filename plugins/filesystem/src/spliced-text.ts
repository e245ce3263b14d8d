// The text after replacements, as the pieces it is made of: parts of the text before, and what was put between
// them. A change of one place in a large file is planned, shown, digested and written without a copy of the file.
import type { Splice } from "@pluggableharness/protocol";
import type { ByteText } from "./byte-text.ts";
import { decodeText } from "./text-encoding.ts";

/** A content in pieces, in order. */
export type Pieces = readonly Buffer[];

/** Bytes of all pieces. */
export function sizeOf(pieces: Pieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.length, 0);
}

/** The pieces as one; not copied where there is only one. */
export function joined(pieces: Pieces): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

/** With more pieces than this the text is joined: they would cost more than the copy. */
const MAX_PIECES = 64;

/** A text with places replaced. */
export interface SplicedText {
  readonly pieces: Pieces;
  /** The text from `start` to before `end`, byte offsets of the new text. */
  slice(start: number, end: number): string;
}

/** Replaces the places of `splices`, which are in order, by `inserted`, one for each. */
export function spliceText(text: ByteText, splices: readonly Splice[], inserted: Pieces): SplicedText {
  const cut: Buffer[] = [];
  let from = 0;
  for (const [index, { oldStart, oldEnd }] of splices.entries()) {
    cut.push(text.bytes.subarray(from, oldStart), inserted[index] ?? Buffer.alloc(0));
    from = oldEnd;
  }
  cut.push(text.bytes.subarray(from));
  const pieces = cut.length > MAX_PIECES ? [Buffer.concat(cut)] : cut;
  return { pieces, slice: (start, end) => decodeText(sliceOf(pieces, start, end), text.encoding) };
}

function sliceOf(pieces: Pieces, start: number, end: number): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at >= end) break;
    if (at + piece.length > start) parts.push(piece.subarray(Math.max(0, start - at), end - at));
    at += piece.length;
  }
  return joined(parts);
}
