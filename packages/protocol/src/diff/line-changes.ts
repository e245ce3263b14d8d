// Which lines differ between two lists of lines, with a cost bounded by construction: common ends, then lines
// that are unique on both sides as anchors (patience), then a table in small gaps, and beyond the budget the
// whole gap as one replacement.
import { commonSubsequenceChanges } from "./common-subsequence.ts";
import { anchorFinder } from "./unique-anchors.ts";

/** Lines [oldStart, oldEnd) became lines [newStart, newEnd); counted from 0. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Work that comparisons may still do: table cells, in all their gaps together. Each comparison takes from it. */
export interface CellBudget {
  cells: number;
}

/** A budget that is used up in about 50 ms. */
export const MAX_CELLS = 16_000_000;

/** Table cells of one gap. */
const MAX_GAP_CELLS = 1_000_000;

/** Anchors are looked for again inside the gaps between anchors; each level costs one pass over the lines. */
const MAX_DEPTH = 12;

/**
 * The changes that turn `oldLines` into `newLines`, in order, none touching the next. `budget` bounds the
 * work done to make them small; when it is used up, a gap is replaced as a whole, which is still right.
 */
export function lineChanges(
  oldLines: readonly string[],
  newLines: readonly string[],
  budget: CellBudget,
): LineChange[] {
  const whole = { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length };
  const outer = withoutCommonEnds(oldLines, newLines, whole);
  if (isSimple(outer))
    return outer.oldStart === outer.oldEnd && outer.newStart === outer.newEnd ? [] : [outer];
  const numbers = new Map<string, number>();
  const a = numbered(oldLines, numbers);
  const b = numbered(newLines, numbers);
  const findAnchors = anchorFinder(a, b, numbers.size);
  const changes: LineChange[] = [];

  const gap = (range: LineChange) => {
    const cells = (range.oldEnd - range.oldStart) * (range.newEnd - range.newStart);
    if (cells > Math.min(budget.cells, MAX_GAP_CELLS)) return void changes.push(range);
    budget.cells -= cells;
    for (const change of commonSubsequenceChanges(a, b, range)) changes.push(change);
  };

  const compare = (between: LineChange, depth: number) => {
    const range = withoutCommonEnds(a, b, between);
    if (range.oldStart === range.oldEnd && range.newStart === range.newEnd) return;
    if (isSimple(range)) return void changes.push(range);
    const anchors = depth < MAX_DEPTH ? findAnchors(range) : [];
    if (anchors.length === 0) return gap(range);
    let { oldStart, newStart } = range;
    for (const { oldLine, newLine } of anchors) {
      compare({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine }, depth + 1);
      oldStart = oldLine + 1;
      newStart = newLine + 1;
    }
    compare({ oldStart, oldEnd: range.oldEnd, newStart, newEnd: range.newEnd }, depth + 1);
  };

  compare(outer, 0);
  return changes;
}

/** Equal lines get equal numbers, so that comparing two lines is comparing two integers. */
function numbered(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  });
}

/** Ranges without common ends of which there is nothing more to find out; most edits are no more than that. */
function isSimple({ oldStart, oldEnd, newStart, newEnd }: LineChange): boolean {
  const removed = oldEnd - oldStart;
  const added = newEnd - newStart;
  return removed === 0 || added === 0 || (removed === 1 && added === 1);
}

function withoutCommonEnds<T>(a: ArrayLike<T>, b: ArrayLike<T>, range: LineChange): LineChange {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && a[oldStart] === b[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldStart < oldEnd && newStart < newEnd && a[oldEnd - 1] === b[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}
