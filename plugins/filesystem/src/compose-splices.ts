// Two lists of splices made one after the other as a single list, so that the hunks of a multi_edit are those
// between the file before it and the file after it.
import type { Splice } from "@pluggableharness/protocol";

/**
 * The splices from the first text to the third, given those from first to second and from second to third.
 * Places that touch become one.
 */
export function composeSplices(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  const composed: Splice[] = [];
  let shiftBack = 0;
  let shiftOn = 0;
  let i = 0;
  let j = 0;
  while (i < first.length || j < second.length) {
    // In the second text, which both lists know, the next place starts here.
    const start = Math.min(first[i]?.newStart ?? Infinity, second[j]?.oldStart ?? Infinity);
    const [oldStart, newStart] = [start + shiftBack, start + shiftOn];
    let end = start;
    for (;;) {
      const before = first[i];
      const after = second[j];
      if (before !== undefined && before.newStart <= end) {
        end = Math.max(end, before.newEnd);
        shiftBack += before.oldEnd - before.oldStart - (before.newEnd - before.newStart);
        i++;
      } else if (after !== undefined && after.oldStart <= end) {
        end = Math.max(end, after.oldEnd);
        shiftOn += after.newEnd - after.newStart - (after.oldEnd - after.oldStart);
        j++;
      } else break;
    }
    composed.push({ oldStart, oldEnd: end + shiftBack, newStart, newEnd: end + shiftOn });
  }
  return composed;
}
