// Anchors of a patience diff: lines that occur once on either side, in the longest order both sides share.
// Time is n log n in the range, memory is borrowed from one set of counters for all ranges.
import type { LineChange } from "./line-changes.ts";

/** A line that stands on both sides. */
export interface Anchor {
  readonly oldLine: number;
  readonly newLine: number;
}

/**
 * Makes a finder for ranges of `a` and `b`, whose values are line numbers below `distinct`. Counters are kept
 * between calls, so that a range costs its own length and not that of the file.
 */
export function anchorFinder(
  a: Int32Array,
  b: Int32Array,
  distinct: number,
): (range: LineChange) => Anchor[] {
  const seenInOld = new Int32Array(distinct);
  const seenInNew = new Int32Array(distinct);
  const placeInNew = new Int32Array(distinct);
  return (range) => {
    const oldRange = a.subarray(range.oldStart, range.oldEnd);
    const newRange = b.subarray(range.newStart, range.newEnd);
    for (const line of oldRange) seenInOld[line] = (seenInOld[line] ?? 0) + 1;
    newRange.forEach((line, index) => {
      seenInNew[line] = (seenInNew[line] ?? 0) + 1;
      placeInNew[line] = range.newStart + index;
    });
    const pairs: Anchor[] = [];
    oldRange.forEach((line, index) => {
      if (seenInOld[line] !== 1 || seenInNew[line] !== 1) return;
      pairs.push({ oldLine: range.oldStart + index, newLine: placeInNew[line] ?? 0 });
    });
    for (const line of oldRange) seenInOld[line] = 0;
    for (const line of newRange) seenInNew[line] = 0;
    return longestRising(pairs);
  };
}

/** The longest subsequence of pairs, ordered by old line, whose new lines rise too. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  // tails[k] is the pair with the smallest new line that ends a rising run of k + 1 pairs.
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length);
  const newLineOf = (index: number | undefined) => pairs[index ?? -1]?.newLine ?? -1;
  for (let index = 0; index < pairs.length; index++) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (newLineOf(tails[middle]) < newLineOf(index)) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  }
  const run: Anchor[] = [];
  for (let index = tails.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}
