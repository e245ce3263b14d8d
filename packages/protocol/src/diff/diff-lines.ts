// The diff of two whole texts, for changes whose places are not known (write_file, undo_edit). Bounded in time
// by construction: one pass over the common ends, then the bounded comparison of what lies between.
import type { Hunk } from "./hunk.ts";
import { type HunkOptions, hunksFromSplices } from "./hunks-from-splices.ts";
import { stringText } from "./offset-text.ts";

/**
 * The hunks that turn `oldText` into `newText`; none where they are equal. `maxCells` bounds the work that
 * makes hunks small: beyond it a stretch of lines without anchors is shown as replaced altogether.
 */
export function diffLines(oldText: string, newText: string, options: HunkOptions = {}): Hunk[] {
  if (oldText === newText) return [];
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start < shorter && oldText.charCodeAt(start) === newText.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    oldText.charCodeAt(oldText.length - 1 - tail) === newText.charCodeAt(newText.length - 1 - tail)
  ) {
    tail++;
  }
  const splice = {
    oldStart: start,
    oldEnd: oldText.length - tail,
    newStart: start,
    newEnd: newText.length - tail,
  };
  return hunksFromSplices(stringText(oldText), stringText(newText), [splice], options);
}
