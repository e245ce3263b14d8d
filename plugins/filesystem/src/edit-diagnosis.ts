// Why an old_string is not in a file, said so that the next try succeeds: the closest passage, its line, and what
// differs. It only explains; nothing is ever applied by guess (catalog.md, 'edit_file').
import { ToolError } from "@pluggableharness/protocol";
import type { ByteText } from "./byte-text.ts";
import { closestPassage } from "./closest-passage.ts";
import { hintsFor } from "./edit-hints.ts";
import type { EditRequest } from "./edit-request.ts";
import { reportPassage } from "./passage-report.ts";

/** Bytes of the file in which a similar passage is looked for. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

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
  const shown = passage && reportPassage(searched, passage, wanted);
  const message = ["old_string was not found", ...hints].join(". ");
  if (shown === undefined) {
    return new ToolError("not_found", `${message}. No passage resembles it; read the file again`, {
      details: { hints: [...hints] },
    });
  }
  const details = {
    hints: [...hints],
    line: shown.line,
    closest_passage: shown.excerpt,
    differs_in: [...shown.differsIn],
  };
  return new ToolError("not_found", `${message}. ${shown.message}`, { details });
}
