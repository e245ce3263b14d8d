// The undecoded text of a file as an OffsetText: lines and passages are found on bytes, so that what is not
// touched is never decoded. Offsets count bytes after the byte order mark.
import { countedFromLast, type OffsetText } from "@pluggableharness/protocol";
import { BLOCK_BYTES, releaseNewlineCounter, takeNewlineCounter } from "./newline-counter.ts";
import { decodeText, encodeText, type TextEncoding, unitBytes } from "./text-encoding.ts";

/** Which line endings a text uses; `none` where it has no line ending at all. A lone CR is not one. */
export type EolStyle = "lf" | "crlf" | "mixed" | "none";

/** Bytes in a known encoding, without byte order mark. */
export interface ByteText extends OffsetText {
  readonly bytes: Buffer;
  readonly encoding: TextEncoding;
  /** Bytes of one code unit; every offset is a multiple of it. */
  readonly unit: 1 | 2;
  /** Where `needle` stands first at or after `from`, on a border of code units; -1 where it does not. */
  indexOf(needle: Buffer, from: number): number;
  /** The offset of the first LF at or after `from`; -1 where none follows. */
  nextLf(from: number): number;
  /** Whether the LF at `offset` is the second half of a CRLF. */
  isCrlf(offset: number): boolean;
  /** The line endings of the whole text; looked up once. */
  eol(): EolStyle;
}

/** Makes a ByteText of `bytes`, which it does not copy. */
export function byteText(bytes: Buffer, encoding: TextEncoding): ByteText {
  const unit = unitBytes(encoding);
  const lf = encodeText("\n", encoding, "line ending");
  const cr = encodeText("\r", encoding, "line ending");
  // Given as "utf16le", a search compares whole units, whatever their byte order.
  const units = unit === 2 ? "utf16le" : "latin1";
  // Half a unit at the end is left out: Node 20 and 22 would find in it what is not there.
  const whole = (range: Buffer) => (unit === 2 && range.length % 2 === 1 ? range.subarray(0, -1) : range);
  const lfIn = (range: Buffer, from: number) =>
    unit === 1 ? range.indexOf(0x0a, from) : whole(range).indexOf(lf, from, units);
  const isCrlf = (offset: number) =>
    bytes[offset - unit] === cr[0] && (unit === 1 || bytes[offset - 1] === cr[1]);
  let eol: EolStyle | undefined;
  return {
    bytes,
    encoding,
    unit,
    length: bytes.length,
    slice: (start, end) => decodeText(bytes.subarray(start, end), encoding),
    indexOf: (needle, from) => whole(bytes).indexOf(needle, from, units),
    nextLf: (from) => lfIn(bytes, from),
    isCrlf,
    eol: () => {
      eol ??= eolStyle(lfIn(bytes, 0), (at) => lfIn(bytes, at + unit), isCrlf);
      return eol;
    },
    lineStart: (offset) => {
      const at = offset < unit ? -1 : whole(bytes).lastIndexOf(lf, offset - unit, units);
      return at === -1 ? 0 : at + unit;
    },
    lineEnd: (offset) => {
      const at = lfIn(bytes, offset);
      return at === -1 ? bytes.length : at + unit;
    },
    linesBefore: countedFromLast((start, end) => {
      const range = bytes.subarray(start, end);
      if (unit === 1 && range.length >= BLOCK_BYTES) return countInBlocks(range);
      let count = 0;
      for (let at = lfIn(range, 0); at !== -1; at = lfIn(range, at + unit)) count++;
      return count;
    }),
  };
}

function countInBlocks(bytes: Buffer): number {
  const counter = takeNewlineCounter();
  try {
    let count = 0;
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      count += counter.count(bytes.copy(counter.block, 0, at));
    }
    return count;
  } finally {
    releaseNewlineCounter(counter);
  }
}

/** Stops as soon as both kinds were seen. `nextLf` finds the LF that follows the one at an offset. */
function eolStyle(
  firstLf: number,
  nextLf: (at: number) => number,
  isCrlf: (at: number) => boolean,
): EolStyle {
  if (firstLf === -1) return "none";
  const isFirstCrlf = isCrlf(firstLf);
  for (let at = firstLf; at !== -1; at = nextLf(at)) {
    if (isCrlf(at) !== isFirstCrlf) return "mixed";
  }
  return isFirstCrlf ? "crlf" : "lf";
}
