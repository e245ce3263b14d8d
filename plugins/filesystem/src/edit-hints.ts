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

export interface Hints {
  /** Sentences without their full stop, in the order in which they help. */
  readonly hints: readonly string[];
  /** old_string without what a read puts around the text: what a similar passage is looked for by. */
  readonly wanted: string;
}

/** The hints for an edit that was not found in `text`; `original` is the text before earlier edits of the call. */
export function hintsFor(text: ByteText, edit: EditRequest, original: ByteText | undefined): Hints {
  const { old_string: given, new_string: replacement } = edit;
  const unmarked = given.replace(/^\ufeff/, "");
  const numbered = numberedText(text, unmarked);
  const hints = [
    original && lineOf(original, given) !== undefined
      ? "It was there until an earlier edit of this call changed it; edits see the text that the ones before them left"
      : undefined,
    encodingHint(text, given),
    unmarked === given
      ? undefined
      : "It begins with a byte order mark (U+FEFF), which is not part of the text; leave it out",
    numbered?.hint,
    escapeHint(text, given),
    appliedHint(text, replacement),
  ];
  return { wanted: numbered?.unnumbered ?? unmarked, hints: hints.filter((hint) => hint !== undefined) };
}

/** The line on which a passage stands first, if anywhere. */
function lineOf(text: ByteText, passage: string): number | undefined {
  if (passage === "" || passage.length > MAX_HINTED_CHARS) return undefined;
  const first = findPassage(text, passage, { overlapping: false }).next().value;
  return first && text.linesBefore(first.start) + 1;
}

function encodingHint(text: ByteText, given: string): string | undefined {
  const character = firstUnencodable(given, text.encoding);
  return character && `It holds ${character}, which a file in ${text.encoding} cannot hold`;
}

/** The text without its line numbers, where every line that is not blank has one. */
function numberedText(text: ByteText, given: string): { unnumbered: string; hint: string } | undefined {
  if (given.length > MAX_HINTED_CHARS) return undefined;
  const lines = given.split("\n");
  if (!lines.every((line) => line.trim() === "" || LINE_NUMBER_PREFIX.test(line))) return undefined;
  const unnumbered = lines.map((line) => line.replace(LINE_NUMBER_PREFIX, "")).join("\n");
  const line = lineOf(text, unnumbered);
  // Only the arrow is proof enough by itself; texts have numbers with colons of their own.
  if (unnumbered === given || (line === undefined && !given.includes("→"))) return undefined;
  const place = line === undefined ? "" : ` (the text is on line ${line})`;
  return {
    unnumbered,
    hint: `It holds line-number prefixes as read_file shows them; leave them out${place}`,
  };
}

function escapeHint(text: ByteText, given: string): string | undefined {
  if (given.length > MAX_HINTED_CHARS) return undefined;
  const meanings: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  const unescaped = given.replace(/\\([nrt"'\\])/g, (_, letter: string) => meanings[letter] ?? letter);
  const line = unescaped === given ? undefined : lineOf(text, unescaped);
  return line === undefined
    ? undefined
    : `It holds escapes such as \\n or \\" as two characters each; give the characters themselves (the text is on line ${line})`;
}

function appliedHint(text: ByteText, replacement: string): string | undefined {
  const line = replacement.trim().length < MIN_APPLIED_CHARS ? undefined : lineOf(text, replacement);
  return line === undefined
    ? undefined
    : `new_string is already in the file, on line ${line}: the edit may have been made before`;
}
