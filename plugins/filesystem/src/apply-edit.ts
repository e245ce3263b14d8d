// One edit applied to one text: finds the places, judges their number, and splices the new bytes in. Every
// byte outside the places is copied as it is.
import { type Splice, ToolError } from "@pluggableharness/protocol";
import type { ByteText } from "./byte-text.ts";
import { noMatchError } from "./edit-diagnosis.ts";
import { findPassage, type Match } from "./edit-match.ts";
import { replacementFor } from "./edit-replacement.ts";
import { checkEdit, type EditRequest, linesInWords, meansAll } from "./edit-request.ts";
import { type SplicedText, spliceText } from "./spliced-text.ts";

/** What one edit did. */
export interface AppliedEdit {
  readonly replacements: number;
  /** The lines on which the first places began, at most 20, in the text as this edit found it; from 1. */
  readonly lines: readonly number[];
}

export interface EditedText {
  readonly text: SplicedText;
  readonly splices: readonly Splice[];
  readonly applied: AppliedEdit;
}

/** Occurrences counted where only one is allowed; the message needs no more. */
const MAX_COUNTED = 1_000;

/** Places that replace_all changes in one edit. */
const MAX_REPLACEMENTS = 100_000;

/** Lines that an applied edit or a refusal works out. */
const MAX_LINES = 20;

/**
 * The text after an edit. `original` is the text before the edits that came earlier in the same call, if any.
 * @throws ToolError `invalid_arguments` for an edit that cannot be meant, or is ambiguous; `not_found` where the
 * passage is not there, with the closest one.
 */
export function applyEdit(
  text: ByteText,
  edit: EditRequest,
  maxBytes: number,
  original?: ByteText,
): EditedText {
  checkEdit(edit);
  const replacement = replacementFor(text, edit.old_string, edit.new_string);
  const matches = countedMatches(text, edit);
  if (matches.length === 0) throw noMatchError(text, edit, original);
  const lines = matches.slice(0, MAX_LINES).map(({ start }) => text.linesBefore(start) + 1);
  judgeCount(edit, matches.length, lines);
  const { splices, inserted } = placeReplacements(text, matches, replacement, maxBytes);
  if (
    splices.every(({ oldStart, oldEnd }, index) =>
      inserted[index]?.equals(text.bytes.subarray(oldStart, oldEnd)),
    )
  ) {
    throw new ToolError(
      "invalid_arguments",
      "old_string and new_string differ only in their line endings, and the file already has those of new_string; nothing would change",
    );
  }
  return {
    text: spliceText(text, splices, inserted),
    splices,
    applied: { replacements: matches.length, lines },
  };
}

function countedMatches(text: ByteText, edit: EditRequest): Match[] {
  const isForAll = meansAll(edit);
  const limit = isForAll ? MAX_REPLACEMENTS : MAX_COUNTED;
  const matches: Match[] = [];
  for (const match of findPassage(text, edit.old_string, { overlapping: !isForAll })) {
    matches.push(match);
    if (matches.length > limit) break;
  }
  return matches;
}

function judgeCount(edit: EditRequest, count: number, lines: readonly number[]): void {
  const expected = edit.expected_replacements;
  const isForAll = meansAll(edit);
  const occurs = `old_string occurs ${countInWords(count, isForAll ? MAX_REPLACEMENTS : MAX_COUNTED)}, on ${linesInWords(lines)}`;
  const refuse = (message: string) => {
    throw new ToolError("invalid_arguments", message, { details: { occurrences: count, lines: [...lines] } });
  };
  if (expected !== undefined && count !== expected) {
    refuse(`expected_replacements is ${expected}, but ${occurs}; correct the number or add context`);
  }
  if (!isForAll && count > 1) refuse(`${occurs}; add context or set replace_all`);
  if (count > MAX_REPLACEMENTS) refuse(`${occurs}; give a longer old_string, so that fewer places match`);
}

function countInWords(count: number, limit: number): string {
  if (count > limit) return `more than ${limit} times`;
  return count === 1 ? "once" : `${count} times`;
}

/** Where each replacement goes, and its bytes; the size is known, and bounded, before anything is put together. */
function placeReplacements(
  text: ByteText,
  matches: readonly Match[],
  replacement: (match: Match) => Buffer,
  maxBytes: number,
): { readonly splices: Splice[]; readonly inserted: Buffer[] } {
  const splices: Splice[] = [];
  const inserted: Buffer[] = [];
  let gained = 0;
  for (const match of matches) {
    const bytes = replacement(match);
    const newStart = match.start + gained;
    splices.push({ oldStart: match.start, oldEnd: match.end, newStart, newEnd: newStart + bytes.length });
    inserted.push(bytes);
    gained += bytes.length - (match.end - match.start);
  }
  const size = text.length + gained;
  if (size > maxBytes) {
    throw new ToolError(
      "invalid_arguments",
      `the edited file would have ${size} bytes, more than the ${maxBytes} that are allowed; make new_string shorter or replace fewer places`,
    );
  }
  return { splices, inserted };
}
