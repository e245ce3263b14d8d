// The way back from the text of a unified diff to hunks, for diffs that formatUnified wrote: a stored result
// carries the text, and showing it needs the hunks.
import type { Hunk, HunkLine } from "./hunk.ts";

const ops: Readonly<Record<string, HunkLine["op"]>> = { " ": "context", "+": "add", "-": "remove" };

/** The hunks of a diff of one file. Lines that belong to no hunk, such as the two file lines, are passed over. */
export function parseUnified(diff: string): Hunk[] {
  const hunks: (Hunk & { readonly lines: HunkLine[] })[] = [];
  let missing = 0;
  for (const line of diff.split("\n")) {
    const hunk = hunks.at(-1);
    const op = ops[line.charAt(0)];
    if (missing > 0 && hunk !== undefined && op !== undefined) {
      hunk.lines.push({ op, text: line.slice(1) });
      // A context line stands for one line on each side.
      missing -= op === "context" ? 2 : 1;
    } else if (line.startsWith("\\")) {
      markNoNewline(hunk?.lines);
    } else {
      const header = parseHeader(line);
      if (header === undefined) continue;
      hunks.push({ ...header, lines: [] });
      missing = header.oldLines + header.newLines;
    }
  }
  return hunks;
}

function markNoNewline(lines: HunkLine[] | undefined): void {
  const last = lines?.pop();
  if (last !== undefined) lines?.push({ ...last, noNewline: true });
}

function parseHeader(line: string): Omit<Hunk, "lines"> | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (match === null) return undefined;
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] = match;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
  };
}
