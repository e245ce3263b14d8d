// Applies hunks to the text they were made from. It proves that a diff says all there is to say.
import type { Hunk, HunkLine } from "./hunk.ts";
import { CR_MARK, lineEnding } from "./line-window.ts";
import { splitLines } from "./offset-text.ts";

/**
 * The new text. Exact for hunks that were not shortened, and for texts that do not hold `␍` themselves.
 * @throws Error where the old text has not the lines that a hunk names.
 */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): string {
  const oldLines = splitLines(oldText);
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines > 0 ? hunk.oldStart - 1 : hunk.oldStart;
    for (; at < start; at++) out.push(oldLines[at] ?? "");
    const isMarked = hunk.lines.some(({ text }) => text.endsWith(CR_MARK));
    const assumed = hunk.oldLines > 0 ? lineEnding(oldLines[start] ?? "") || "\n" : "\n";
    for (const line of hunk.lines) {
      if (line.op === "add") {
        out.push(addedLine(line, isMarked, assumed));
        continue;
      }
      const old = oldLines[at];
      if (old === undefined || withoutEnding(old) !== withoutMark(line.text, old, isMarked)) {
        throw new Error(
          `line ${at + 1} is ${JSON.stringify(old)}, the hunk says ${JSON.stringify(line.text)}`,
        );
      }
      if (line.op === "context") out.push(old);
      at++;
    }
  }
  for (; at < oldLines.length; at++) out.push(oldLines[at] ?? "");
  return out.join("");
}

function addedLine({ text, noNewline }: HunkLine, isMarked: boolean, assumed: string): string {
  if (noNewline) return text;
  if (!isMarked) return text + assumed;
  return text.endsWith(CR_MARK) ? `${text.slice(0, -CR_MARK.length)}\r\n` : `${text}\n`;
}

function withoutEnding(line: string): string {
  return line.slice(0, line.length - lineEnding(line).length);
}

function withoutMark(text: string, oldLine: string, isMarked: boolean): string {
  return isMarked && lineEnding(oldLine) === "\r\n" ? text.slice(0, -CR_MARK.length) : text;
}
