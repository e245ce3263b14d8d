// The diff of two contents of a file whose changed places are not known. Up to a size it is a proper diff; beyond it
// the passage from the first to the last difference is shown as replaced, and only its beginning is read as lines
// (catalog.md, 'filesystem': a diff of two large files is bounded and falls back to a plain replacement).
import { countChanges, diffLines, type Hunk, type HunkLine, splitLines } from "@pluggableharness/protocol";
import type { ByteText } from "./byte-text.ts";
import { commonEnds } from "./common-ends.ts";

export interface TextDiff {
  readonly hunks: readonly Hunk[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Changed lines that stand in no hunk. */
  readonly linesLeftOut: number;
}

/** Bytes and lines of both sides together up to which lines are compared: well below half a second. */
const MAX_COMPARED_BYTES = 8 * 1024 * 1024;
const MAX_COMPARED_LINES = 200_000;
/** Lines of each side that a replaced passage shows. */
const SHOWN_LINES = 200;

/** Compares two texts in the same encoding. */
export function diffTexts(before: ByteText, after: ByteText): TextDiff {
  if (before.bytes.equals(after.bytes)) return { hunks: [], linesAdded: 0, linesRemoved: 0, linesLeftOut: 0 };
  const isSmall =
    before.length + after.length <= MAX_COMPARED_BYTES &&
    linesOf(before) + linesOf(after) <= MAX_COMPARED_LINES;
  if (!isSmall) return replacedPassage(before, after);
  const hunks = diffLines(before.slice(0, before.length), after.slice(0, after.length));
  return { hunks, ...countChanges(hunks), linesLeftOut: 0 };
}

function linesOf(text: ByteText): number {
  return text.linesBefore(text.length);
}

/** One passage of whole lines on each side. */
interface Passage {
  readonly text: ByteText;
  readonly start: number;
  readonly end: number;
}

function replacedPassage(before: ByteText, after: ByteText): TextDiff {
  const { start, tail } = commonEnds(before.bytes, after.bytes);
  const from = before.lineStart(start - (start % before.unit));
  const restBytes = before.length - before.lineEnd(before.length - tail + (tail % before.unit));
  const removed = { text: before, start: from, end: before.length - restBytes };
  const added = { text: after, start: from, end: after.length - restBytes };
  const linesRemoved = countLines(removed);
  const linesAdded = countLines(added);
  const lines = [...firstLines(removed, "remove"), ...firstLines(added, "add")];
  const oldLines = lines.filter(({ op }) => op === "remove").length;
  const newLines = lines.length - oldLines;
  const linesAbove = before.linesBefore(from);
  const hunk = {
    oldStart: linesAbove + (oldLines > 0 ? 1 : 0),
    oldLines,
    newStart: linesAbove + (newLines > 0 ? 1 : 0),
    newLines,
    lines,
  };
  return { hunks: [hunk], linesAdded, linesRemoved, linesLeftOut: linesRemoved + linesAdded - lines.length };
}

function countLines({ text, start, end }: Passage): number {
  const lineFeeds = text.linesBefore(end) - text.linesBefore(start);
  // A last line without a line feed is a line too.
  return lineFeeds + (end > start && text.lineStart(end) !== end ? 1 : 0);
}

function firstLines({ text, start, end }: Passage, op: HunkLine["op"]): HunkLine[] {
  let shownEnd = start;
  for (let line = 0; line < SHOWN_LINES && shownEnd < end; line++)
    shownEnd = Math.min(end, text.lineEnd(shownEnd));
  return splitLines(text.slice(start, shownEnd)).map((line): HunkLine => {
    if (!line.endsWith("\n")) return { op, text: line, noNewline: true };
    return { op, text: line.replace(/\r?\n$/, "") };
  });
}
