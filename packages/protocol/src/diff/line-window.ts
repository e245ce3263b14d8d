// Hunks of one window of lines whose changes are known: context, line numbers, endings. Endings are compared
// but not shown, unless a hunk would hide that they differ.
import type { Hunk, HunkLine } from "./hunk.ts";
import type { LineChange } from "./line-changes.ts";

/** Stands at the end of each CRLF line of a hunk that has to tell the two line endings apart. */
export const CR_MARK = "␍";

/** A part of a file on both sides, cut at line borders, each line with its ending. */
export interface LineWindow {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** In order, and apart by at least one line; indexes into the two lists. */
  readonly changes: readonly LineChange[];
  /** Lines before the window on the old side, and on the new one. */
  readonly oldBefore: number;
  readonly newBefore: number;
}

/** The hunks of a window; changes that are at most twice `contextLines` apart share one. */
export function windowHunks(window: LineWindow, contextLines: number): Hunk[] {
  const hunks: Hunk[] = [];
  let group: LineChange[] = [];
  for (const change of window.changes) {
    const last = group.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd > 2 * contextLines) {
      hunks.push(hunkOf(window, group, contextLines));
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) hunks.push(hunkOf(window, group, contextLines));
  return hunks;
}

type RawLine = readonly [op: HunkLine["op"], line: string];

function hunkOf(window: LineWindow, changes: readonly LineChange[], contextLines: number): Hunk {
  const first = changes[0]?.oldStart ?? 0;
  const oldStart = Math.max(0, first - contextLines);
  const newStart = (changes[0]?.newStart ?? 0) - (first - oldStart);
  const raw: RawLine[] = [];
  const take = (op: HunkLine["op"], from: readonly string[], start: number, end: number) => {
    for (let index = start; index < end; index++) raw.push([op, from[index] ?? ""]);
  };
  let at = oldStart;
  for (const change of changes) {
    take("context", window.oldLines, at, change.oldStart);
    take("remove", window.oldLines, change.oldStart, change.oldEnd);
    take("add", window.newLines, change.newStart, change.newEnd);
    at = change.oldEnd;
  }
  take("context", window.oldLines, at, Math.min(window.oldLines.length, at + contextLines));
  const oldLines = raw.filter(([op]) => op !== "add").length;
  const newLines = raw.filter(([op]) => op !== "remove").length;
  return {
    oldStart: window.oldBefore + oldStart + (oldLines > 0 ? 1 : 0),
    oldLines,
    newStart: window.newBefore + newStart + (newLines > 0 ? 1 : 0),
    newLines,
    lines: shownLines(raw),
  };
}

/**
 * Takes the endings off. The ending of the hunk's first old line is what a reader assumes for all of them;
 * where a changed line breaks that, every CRLF line of the hunk is marked.
 */
function shownLines(raw: readonly RawLine[]): HunkLine[] {
  const assumed = lineEnding(raw.find(([op]) => op !== "add")?.[1] ?? "") || "\n";
  const isMarked = raw.some(([op, line]) => op !== "context" && ![assumed, ""].includes(lineEnding(line)));
  return raw.map(([op, line]) => {
    const ending = lineEnding(line);
    const text = line.slice(0, line.length - ending.length);
    if (ending === "") return { op, text, noNewline: true };
    return { op, text: isMarked && ending === "\r\n" ? text + CR_MARK : text };
  });
}

/** The ending of a line: LF, CRLF, or nothing at the end of a text. */
export function lineEnding(line: string): "\r\n" | "\n" | "" {
  if (line.endsWith("\r\n")) return "\r\n";
  return line.endsWith("\n") ? "\n" : "";
}
