// The longest common subsequence of two short ranges of line numbers, by the plain table: its cost is
// exactly rows times columns, which is what the caller bounds.
import type { LineChange } from "./line-changes.ts";

/**
 * The changes between `a` in [aLo, aHi) and `b` in [bLo, bHi), in order, as few lines as possible. The shorter
 * range must be below 65,536 long.
 */
export function commonSubsequenceChanges(a: Int32Array, b: Int32Array, range: LineChange): LineChange[] {
  const rows = range.oldEnd - range.oldStart;
  const width = range.newEnd - range.newStart + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const same = (i: number, j: number) => a[range.oldStart + i] === b[range.newStart + j];
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = width - 2; j >= 0; j--) {
      lengths[i * width + j] = same(i, j)
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  return walk(rows, width - 1, same, lengthAt).map((change) => ({
    oldStart: range.oldStart + change.oldStart,
    oldEnd: range.oldStart + change.oldEnd,
    newStart: range.newStart + change.newStart,
    newEnd: range.newStart + change.newEnd,
  }));
}

/** Follows the table from its start: equal lines end a change, others belong to it. */
function walk(
  rows: number,
  columns: number,
  same: (i: number, j: number) => boolean,
  lengthAt: (i: number, j: number) => number,
): LineChange[] {
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    const oldStart = i;
    const newStart = j;
    while ((i < rows || j < columns) && !(i < rows && j < columns && same(i, j))) {
      if (j === columns || (i < rows && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) i++;
      else j++;
    }
    if (i > oldStart || j > newStart) changes.push({ oldStart, oldEnd: i, newStart, newEnd: j });
    while (i < rows && j < columns && same(i, j)) {
      i++;
      j++;
    }
  }
  return changes;
}
