// One edit as a model gives it, and the rules for it that a schema cannot say (catalog.md, 'edit_file').
import { ToolError } from "@pluggableharness/protocol";
import { refuseLoneSurrogates } from "./text-encoding.ts";

/** Replace a passage. The fields are those of the operations' arguments. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  /** Replace every occurrence. */
  readonly replace_all?: boolean | undefined;
  /** Replace only if there are exactly so many occurrences; above 1 it says replace_all as well. */
  readonly expected_replacements?: number | undefined;
}

/** Whether an edit means every occurrence. */
export function meansAll({ replace_all, expected_replacements }: EditRequest): boolean {
  return replace_all === true || (expected_replacements ?? 1) > 1;
}

/** @throws ToolError `invalid_arguments` for an edit that no file could satisfy. */
export function checkEdit(edit: EditRequest): void {
  const { old_string, new_string, expected_replacements: expected } = edit;
  if (old_string === "") {
    throw refusal("old_string is empty; give the text to replace, or set the whole content with write_file");
  }
  if (old_string === new_string) {
    throw refusal("old_string and new_string are the same; nothing would change");
  }
  if (expected !== undefined && !(Number.isSafeInteger(expected) && expected >= 1)) {
    throw refusal(`expected_replacements is ${expected}; give a whole number from 1, or leave it out`);
  }
  refuseLoneSurrogates(old_string, "old_string");
}

/** Lines named in a message; more would not help. */
const MAX_LINES_NAMED = 10;

/** `lines 4, 90 and 131`, of line numbers in rising order; a line that is named twice is named once. */
export function linesInWords(lines: readonly number[]): string {
  const distinct = [...new Set(lines)];
  const named = distinct.slice(0, MAX_LINES_NAMED);
  const more = distinct.length - named.length;
  if (more > 0) return `lines ${named.join(", ")} and ${more} more`;
  if (named.length === 1) return `line ${named[0]}`;
  return `lines ${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

function refusal(message: string): ToolError {
  return new ToolError("invalid_arguments", message);
}
