// Hunks cut down to what a person or a model is shown. What is left out is counted, and a long line is shown
// around the place where it differs, not from its beginning.
import type { Hunk, HunkLine } from "./hunk.ts";

export interface DiffBounds {
  /** Lines of all hunks together. */
  readonly maxLines: number;
  /** UTF-16 units of all lines together, after long ones were cut; default 64 Ki. */
  readonly maxChars?: number;
  /** UTF-16 units of one line; default 2,000. */
  readonly maxLineChars?: number;
}

export interface BoundedHunks {
  readonly hunks: readonly Hunk[];
  /** Lines of the given hunks that are not in the returned ones. */
  readonly linesLeftOut: number;
}

/** How much of the equal beginning of two lines is kept before the place where they differ. */
const LEAD_CHARS = 60;

/** The first hunks that fit. A hunk that is cut keeps its place and counts only the lines it still has. */
export function boundHunks(hunks: readonly Hunk[], bounds: DiffBounds): BoundedHunks {
  const { maxLines, maxChars = 65_536, maxLineChars = 2_000 } = bounds;
  const kept: Hunk[] = [];
  let lines = 0;
  let chars = 0;
  let linesLeftOut = 0;
  for (const hunk of hunks) {
    const fitting: HunkLine[] = [];
    // Once a line does not fit nothing after it is shown, or a short line would seem to follow the gap.
    if (linesLeftOut === 0) {
      for (const [index, line] of hunk.lines.entries()) {
        const shown = shortened(line, hunk.lines, index, maxLineChars);
        if (lines + 1 > maxLines || chars + shown.text.length > maxChars) break;
        lines++;
        chars += shown.text.length;
        fitting.push(shown);
      }
    }
    linesLeftOut += hunk.lines.length - fitting.length;
    if (fitting.length === hunk.lines.length) kept.push({ ...hunk, lines: fitting });
    else if (fitting.length > 0) kept.push(partOf(hunk, fitting));
  }
  return { hunks: kept, linesLeftOut };
}

/** A hunk with fewer lines; a side that has none left starts at the line before, as unified diffs say it. */
function partOf(hunk: Hunk, lines: readonly HunkLine[]): Hunk {
  const oldLines = lines.filter(({ op }) => op !== "add").length;
  const newLines = lines.filter(({ op }) => op !== "remove").length;
  return {
    oldStart: hunk.oldStart - (hunk.oldLines > 0 && oldLines === 0 ? 1 : 0),
    oldLines,
    newStart: hunk.newStart - (hunk.newLines > 0 && newLines === 0 ? 1 : 0),
    newLines,
    lines,
  };
}

function shortened(
  line: HunkLine,
  lines: readonly HunkLine[],
  index: number,
  maxLineChars: number,
): HunkLine {
  const { text } = line;
  if (text.length <= maxLineChars) return line;
  const other = counterpart(lines, index);
  const differsAt = other === undefined ? 0 : commonLength(text, other.text);
  const wanted = Math.min(Math.max(0, differsAt - LEAD_CHARS), text.length - maxLineChars);
  const start = onCodePointEdge(text, wanted);
  const end = onCodePointEdge(text, start + maxLineChars);
  const before = start > 0 ? `[${start} characters] … ` : "";
  const after = end < text.length ? ` … [${text.length - end} characters]` : "";
  return { ...line, text: before + text.slice(start, end) + after };
}

/** The line on the other side of the same change: the n-th added for the n-th removed one, and back. */
function counterpart(lines: readonly HunkLine[], index: number): HunkLine | undefined {
  if (lines[index]?.op === "context") return undefined;
  let start = index;
  while (start > 0 && lines[start - 1]?.op !== "context") start--;
  let firstAdded = start;
  while (lines[firstAdded]?.op === "remove") firstAdded++;
  const removed = firstAdded - start;
  if (index < firstAdded) {
    const other = lines[index + removed];
    return other?.op === "add" ? other : undefined;
  }
  return index - removed < firstAdded ? lines[index - removed] : undefined;
}

function commonLength(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** The offset itself, or the one before it where it would split a surrogate pair. */
function onCodePointEdge(text: string, offset: number): number {
  const isSplit = offset > 0 && offset < text.length && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
  return isSplit ? offset - 1 : offset;
}
