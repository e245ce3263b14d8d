// The shape of a diff: hunks of lines with real line numbers on both sides, counted as unified diffs count
// them. It is the plain form of the wire's DiffHunk (wire.md, 'render.v1').

/** One line of a hunk. */
export interface HunkLine {
  /** `context` stands on both sides, `remove` only in the old text, `add` only in the new one. */
  readonly op: "context" | "add" | "remove";
  /** The line without its ending; `␍` is put at its end where a hunk has to tell CRLF from LF. */
  readonly text: string;
  /** True for the last line of a text that does not end with a newline. */
  readonly noNewline?: true;
}

/** A run of changed lines with the context around it. */
export interface Hunk {
  /** First line on the old side, from 1; where `oldLines` is 0 the line before the hunk, 0 at the top. */
  readonly oldStart: number;
  readonly oldLines: number;
  /** First line on the new side, from 1; where `newLines` is 0 the line before the hunk, 0 at the top. */
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly HunkLine[];
}

/** Lines added and removed by all hunks together. */
export function countChanges(hunks: readonly Hunk[]): { linesAdded: number; linesRemoved: number } {
  let linesAdded = 0;
  let linesRemoved = 0;
  for (const hunk of hunks) {
    for (const { op } of hunk.lines) {
      if (op === "add") linesAdded++;
      else if (op === "remove") linesRemoved++;
    }
  }
  return { linesAdded, linesRemoved };
}
