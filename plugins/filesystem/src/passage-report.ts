// The closest passage put into words: its line, an excerpt, and in what it differs from the one that was wanted.
import { visibleText } from "@pluggableharness/protocol";
import type { Passage } from "./closest-passage.ts";
import { type Difference, differences, TEXT } from "./line-differences.ts";

/** Lines and characters of the passage that are shown. */
const MAX_EXCERPT_LINES = 10;
const MAX_EXCERPT_CHARS = 1_000;

/** What is said of a passage. */
export interface PassageReport {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Names of the causes; empty where the passage is what was wanted. */
  readonly differsIn: readonly string[];
  /** Part of the passage, as it stands in the file. */
  readonly excerpt: string;
  readonly message: string;
}

/** Reports on a passage of `text` that was found in place of `wanted`. */
export function reportPassage(text: string, passage: Passage, wanted: string): PassageReport {
  const line = countLines(text, passage.start) + 1;
  const found = differencesOf(text, passage, wanted);
  const excerpt = asMatched(excerptOf(text, passage, found[0]?.line ?? 0), wanted);
  const causes = found.map((difference) => differenceInWords(difference, line)).join("; ");
  const verdict =
    found.length === 0
      ? `The text begins on line ${line}`
      : `The closest passage begins on line ${line} and differs in ${causes}. Matching is exact, but for LF and CRLF; give old_string as it stands in the file`;
  return {
    line,
    differsIn: found.map(({ cause }) => cause),
    excerpt,
    message: `${verdict}:\n${visibleText(excerpt)}`,
  };
}

function differencesOf(text: string, { start, end }: Passage, wanted: string): Difference[] {
  const compare = (from: number) => differences(asMatched(text.slice(from, end), wanted), wanted);
  const found = compare(start);
  // Where words differ the alignment may have begun within one; half a word would only confuse.
  if (!found.some(({ cause }) => cause === TEXT)) return found;
  const wordBefore = /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, start - 100), start))?.[0] ?? "";
  const isInWord = /^[\p{L}\p{N}_]/u.test(text.slice(start, start + 2));
  return isInWord ? compare(start - wordBefore.length) : found;
}

/** A passage wanted without CR matches either line ending, so CRLF is no difference then and is not shown. */
function asMatched(passage: string, wanted: string): string {
  return wanted.includes("\r") ? passage : passage.replace(/\r(?=\n|$)/g, "");
}

function differenceInWords({ cause, line, inFile, wanted }: Difference, firstLine: number): string {
  return `${cause} (line ${firstLine + line}: the file has ${inFile}, old_string has ${wanted})`;
}

/** Whole lines from shortly before the first difference, as far as they fit. */
function excerptOf(text: string, { start, end }: Passage, differingLine: number): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const from = start === 0 ? 0 : Math.max(lineStart, start - MAX_EXCERPT_CHARS / 4);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, end + MAX_EXCERPT_CHARS);
  const lines = text.slice(from, to).split("\n");
  const first = Math.max(0, differingLine - 2);
  const shown = lines.slice(first, first + MAX_EXCERPT_LINES).join("\n");
  return shown.slice(0, MAX_EXCERPT_CHARS).toWellFormed();
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
