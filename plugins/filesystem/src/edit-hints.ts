// Causes of a failed match that a search can prove: it looks for what was probably meant. Each search is one native
// pass over the file.
import type { ByteText } from "./byte-text.ts";
import { findPassage } from "./edit-match.ts";
import type { EditRequest } from "./edit-request.ts";
import { firstUnencodable } from "./text-encoding.ts";

/** A new_string shorter than this may be anywhere by chance. */
const MIN_APPLIED_CHARS = 3;

/** Longer strings are not searched for in other forms; nobody escapes or numbers so much by mistake. */
const MAX_HINTED_CHARS = 100_000;

/** The number that a read puts before each line, and what stands between it and the line. */
const LINE_NUMBER_PREFIX = /^\s*\d+(?:→|\t|: ?)/;

/** The hints, as sentences without their full stop; `wanted` is old_string without what a read puts around text. */
export function hintsFor(
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
  if (given.length > MAX_HINTED_CHARS) return given;
  const lines = given.split("\n");
  const isNumbered = lines.every((line) => line.trim() === "" || LINE_NUMBER_PREFIX.test(line));
  return isNumbered ? lines.map((line) => line.replace(LINE_NUMBER_PREFIX, "")).join("\n") : given;
}

function withoutEscapes(given: string): string {
  if (given.length > MAX_HINTED_CHARS) return given;
  const meanings: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  return given.replace(/\\([nrt"'\\])/g, (_, letter: string) => meanings[letter] ?? letter);
}
