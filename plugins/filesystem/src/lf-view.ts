// A text of mixed line endings as a text of LF alone, with the way back: how a passage that was read with LF is
// found among lines that end in either.
import { type ByteText, byteText } from "./byte-text.ts";

/** A copy of a text in which every line ends in LF. */
export interface LfView {
  readonly text: ByteText;
  /** The offset in the original; that of an LF stands for the whole ending, so for the CR before it too. */
  toOriginal(offset: number): number;
}

/** Makes the view; costs one pass over the text and a copy of it. */
export function lfView(original: ByteText): LfView {
  const { bytes, unit } = original;
  let dropped = 0;
  for (let at = original.nextLf(0); at !== -1; at = original.nextLf(at + unit))
    if (original.isCrlf(at)) dropped++;

  const copy = Buffer.allocUnsafe(bytes.length - dropped * unit);
  const shortened = new Float64Array(dropped);
  let length = 0;
  let from = 0;
  let index = 0;
  for (let at = original.nextLf(0); at !== -1; at = original.nextLf(at + unit)) {
    if (!original.isCrlf(at)) continue;
    length += bytes.copy(copy, length, from, at - unit);
    shortened[index++] = length;
    from = at;
  }
  bytes.copy(copy, length, from);
  return {
    text: byteText(copy, original.encoding),
    toOriginal: (offset) => offset + unit * countBelow(shortened, offset),
  };
}

/** How many of the rising numbers are below `limit`. */
function countBelow(numbers: Float64Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
