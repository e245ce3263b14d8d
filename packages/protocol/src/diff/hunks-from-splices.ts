// Hunks computed from places that are known to have changed: only those places and their context are cut out
// of the texts, so the cost follows the edit and not the file (catalog.md, 'filesystem').
import type { Hunk } from "./hunk.ts";
import { type CellBudget, lineChanges, MAX_CELLS } from "./line-changes.ts";
import { type LineWindow, windowHunks } from "./line-window.ts";
import { type OffsetText, splitLines } from "./offset-text.ts";

/**
 * What stood at [oldStart, oldEnd) of the old text stands at [newStart, newEnd) of the new one; what lies
 * between two splices is the same on both sides.
 */
export interface Splice {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface HunkOptions {
  /** Unchanged lines shown before and after a change; default 3. */
  readonly contextLines?: number;
  /** Bound of the work that makes hunks small, in table cells; default 16 million, about 50 ms. */
  readonly maxCells?: number;
}

/** The hunks of splices that are in order and do not overlap. Offsets count in the unit of the two texts. */
export function hunksFromSplices(
  oldText: OffsetText,
  newText: Pick<OffsetText, "slice">,
  splices: readonly Splice[],
  { contextLines = 3, maxCells = MAX_CELLS }: HunkOptions = {},
): Hunk[] {
  const hunks: Hunk[] = [];
  const budget = { cells: maxCells };
  let linesGained = 0;
  for (const group of groupByContext(oldText, wholeLines(oldText, splices), contextLines)) {
    const oldBefore = oldText.linesBefore(group.start);
    const window = cutWindow(oldText, newText, group, {
      oldBefore,
      newBefore: oldBefore + linesGained,
      budget,
    });
    for (const hunk of windowHunks(window, contextLines)) hunks.push(hunk);
    linesGained += window.newLines.length - window.oldLines.length;
  }
  return hunks;
}

/**
 * Widens splices to whole lines and joins those that share a line or touch: what one adds and the next removes
 * is no change, and a last line without newline may go on.
 */
function wholeLines(text: OffsetText, splices: readonly Splice[]): Splice[] {
  const widened: Splice[] = [];
  for (const splice of splices) {
    const last = widened.at(-1);
    if (last !== undefined && splice.oldStart <= last.oldEnd) {
      // Asking for the line end only beyond the known one keeps many splices in one long line linear.
      const oldEnd = splice.oldEnd < last.oldEnd ? last.oldEnd : text.lineEnd(splice.oldEnd);
      widened[widened.length - 1] = { ...last, oldEnd, newEnd: splice.newEnd + oldEnd - splice.oldEnd };
      continue;
    }
    const oldStart = text.lineStart(splice.oldStart);
    const oldEnd = text.lineEnd(splice.oldEnd);
    const newStart = splice.newStart - (splice.oldStart - oldStart);
    widened.push({ oldStart, oldEnd, newStart, newEnd: splice.newEnd + oldEnd - splice.oldEnd });
  }
  return widened;
}

/** Places whose context touches, and the offsets on the old side where their common window starts and ends. */
interface SpliceGroup {
  readonly start: number;
  end: number;
  readonly places: Splice[];
}

function groupByContext(text: OffsetText, places: readonly Splice[], contextLines: number): SpliceGroup[] {
  const groups: SpliceGroup[] = [];
  for (const place of places) {
    let start = place.oldStart;
    let end = place.oldEnd;
    for (let line = 0; line < contextLines; line++) {
      start = text.lineStart(Math.max(0, start - 1));
      end = text.lineEnd(end);
    }
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = end;
      last.places.push(place);
    } else {
      groups.push({ start, end, places: [place] });
    }
  }
  return groups;
}

interface WindowPlace {
  readonly oldBefore: number;
  readonly newBefore: number;
  readonly budget: CellBudget;
}

function cutWindow(
  oldText: OffsetText,
  newText: Pick<OffsetText, "slice">,
  { start, end, places }: SpliceGroup,
  { oldBefore, newBefore, budget }: WindowPlace,
): LineWindow {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  const changes: LineWindow["changes"][number][] = [];
  const takeUnchanged = (from: number, to: number) => {
    for (const line of splitLines(oldText.slice(from, to))) {
      oldLines.push(line);
      newLines.push(line);
    }
  };
  let at = start;
  for (const place of places) {
    takeUnchanged(at, place.oldStart);
    const before = splitLines(oldText.slice(place.oldStart, place.oldEnd));
    const after = splitLines(newText.slice(place.newStart, place.newEnd));
    for (const change of lineChanges(before, after, budget)) {
      changes.push({
        oldStart: change.oldStart + oldLines.length,
        oldEnd: change.oldEnd + oldLines.length,
        newStart: change.newStart + newLines.length,
        newEnd: change.newEnd + newLines.length,
      });
    }
    for (const line of before) oldLines.push(line);
    for (const line of after) newLines.push(line);
    at = place.oldEnd;
  }
  takeUnchanged(at, end);
  return { oldLines, newLines, changes, oldBefore, newBefore };
}
