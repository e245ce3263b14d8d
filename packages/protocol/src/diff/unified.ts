// The text form of hunks: a unified diff as `diff -u` and git write it.
import type { Hunk, HunkLine } from "./hunk.ts";

const signs: Readonly<Record<HunkLine["op"], string>> = { context: " ", add: "+", remove: "-" };

/**
 * The unified diff of hunks, with the two file lines first; `/dev/null` is the path of a side that does not
 * exist. The empty string where there are no hunks. Lines end in LF.
 */
export function formatUnified(
  hunks: readonly Hunk[],
  { oldPath, newPath }: { oldPath: string; newPath: string },
): string {
  if (hunks.length === 0) return "";
  const out = [`--- ${quotedPath(oldPath)}`, `+++ ${quotedPath(newPath)}`];
  for (const hunk of hunks) {
    out.push(`@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`);
    for (const line of hunk.lines) {
      out.push(signs[line.op] + line.text);
      if (line.noNewline) out.push("\\ No newline at end of file");
    }
  }
  return `${out.join("\n")}\n`;
}

function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

/** A name with a newline must not be able to forge a line of the diff. */
function quotedPath(path: string): string {
  return /[\u0000-\u001f"\\\u007f]/.test(path) ? JSON.stringify(path) : path;
}
