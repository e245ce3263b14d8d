// Why an old_string is not in a file, said so that the next try succeeds: the closest passage, its line, and what
// differs. It only explains; nothing is ever applied by guess (catalog.md, 'edit_file').
import { ToolError, visibleText } from "@pluggableharness/protocol";
import type { ByteText } from "./byte-text.ts";
import { closestPassage, MAX_COMPARED_CHARS, type Passage } from "./closest-passage.ts";
import { findPassage } from "./edit-match.ts";
import type { EditRequest } from "./edit-request.ts";
import { type Difference, differences } from "./line-differences.ts";
import { firstUnencodable } from "./text-encoding.ts";

/** Bytes of the file in which a similar passage is looked for. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;
/** Lines and characters of the closest passage that are shown. */
const MAX_EXCERPT_LINES = 10;
const MAX_EXCERPT_CHARS = 1_000;
/** A new_string shorter than this may be anywhere by chance. */
const MIN_APPLIED_CHARS = 3;

const LINE_NUMBER_PREFIX = /^\s*\d+(?:→|\t|: ?)/;

/**
 * The `not_found` for an edit that matches nowhere. `original` is the text before earlier edits of the call.
 */
export function noMatchError(text: ByteText, edit: EditRequest, original?: ByteText): ToolError {
  if (text.length === 0) {
    return new ToolError(
      "not_found",
      "old_string was not found: the file is empty; set its content with write_file",
    );
  }
  const { wanted, hints } = hintsFor(text, edit, original);
  const searched = text.slice(0, Math.min(text.length, MAX_SEARCHED_BYTES));
  const passage = closestPassage(searched, wanted);
  const shown = passage && describePassage(searched, passage, wanted);
  const message = ["old_string was not found", ...hints].join(". ");
  if (shown === undefined) {
    return new ToolError("not_found", `${message}. No passage resembles it; read the file again`, {
      details: { hints },
    });
  }
  const details = { hints, line: shown.line, closest_passage: shown.excerpt, differs_in: shown.differsIn };
  return new ToolError("not_found", `${message}. ${shown.message}`, { details });
}

/** Causes that can be proved by a search for what was probably meant; `wanted` is without line numbers. */
function hintsFor(
  text: ByteText,
  edit: EditRequest,
  original: ByteText | undefined,
): { wanted: string; hints: string[] } {
  const { old_string: given, new_string: replacement } = edit;
  const hints: string[] = [];
  const lineOf = (passage: string) => {
    const first =
      passage === "" ? undefined : findPassage(text, passage, { overlapping: false }).next().value;
    return first && text.linesBefore(first.start) + 1;
  };
  if (
    original !== undefined &&
    findPassage(original, given, { overlapping: false }).next().value !== undefined
  ) {
    hints.push(
      "It was there until an earlier edit of this call changed it; edits see the text that the ones before them left",
    );
  }
  const character = firstUnencodable(given, text.encoding);
  if (character !== undefined)
    hints.push(`It holds ${character}, which a file in ${text.encoding} cannot hold`);
  const wanted = withoutLineNumbers(given.replace(/^\ufeff/, ""));
  if (given.startsWith("\ufeff"))
    hints.push("It begins with a byte order mark (U+FEFF), which is not part of the text; leave it out");
  if (wanted !== given.replace(/^\ufeff/, "")) {
    const line = lineOf(wanted);
    const place = line === undefined ? "" : ` (the text is on line ${line})`;
    hints.push(`It holds line-number prefixes as read_file shows them; leave them out${place}`);
  }
  const unescaped = withoutEscapes(given);
  const unescapedLine = unescaped === given ? undefined : lineOf(unescaped);
  if (unescapedLine !== undefined) {
    hints.push(
      `It holds escapes such as \\n or \\" as two characters each; give the characters themselves (the text is on line ${unescapedLine})`,
    );
  }
  const appliedLine = replacement.trim().length < MIN_APPLIED_CHARS ? undefined : lineOf(replacement);
  if (appliedLine !== undefined) {
    hints.push(
      `new_string is already in the file, on line ${appliedLine}: the edit may have been made before`,
    );
  }
  return { wanted, hints };
}

/** Without the prefixes, where every line that is not blank has one. */
function withoutLineNumbers(given: string): string {
  const lines = given.split("\n");
  const isNumbered = lines.every((line) => line.trim() === "" || LINE_NUMBER_PREFIX.test(line));
  return isNumbered ? lines.map((line) => line.replace(LINE_NUMBER_PREFIX, "")).join("\n") : given;
}

function withoutEscapes(given: string): string {
  const meanings: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  return given.replace(/\\([nrt"'\\])/g, (_, letter: string) => meanings[letter] ?? letter);
}

function describePassage(text: string, { start, end }: Passage, wanted: string) {
  const line = countLines(text, start) + 1;
  const found = differences(text.slice(start, end), wanted.slice(0, MAX_COMPARED_CHARS));
  const differsIn = found.map(({ cause }) => cause);
  const excerpt = excerptOf(text, { start, end }, found[0]?.line ?? 0);
  const causes = found.map((difference) => differenceInWords(difference, line)).join("; ");
  const isCut = wanted.length > MAX_COMPARED_CHARS && found.length === 0;
  const differs = isCut
    ? `is the same for its first ${MAX_COMPARED_CHARS} characters`
    : `differs in ${causes}`;
  const message = `The closest passage begins on line ${line} and ${differs}. Matching is exact, but for LF and CRLF; give old_string as it stands in the file:\n${visibleText(excerpt)}`;
  return { line, differsIn, excerpt, message };
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
