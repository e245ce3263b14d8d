// The plan of edit_file and multi_edit, for Invoke and Preview alike: pure, from the bytes of a file to the
// bytes it will have. Edits are applied in order, each to the text that the one before it left, and either all
// of them or none (catalog.md, 'multi_edit').
import {
  countChanges,
  type Hunk,
  hunksFromSplices,
  isToolError,
  type OffsetText,
  type Splice,
  ToolError,
} from "@pluggableharness/protocol";
import { type AppliedEdit, applyEdit, type EditedText } from "./apply-edit.ts";
import { byteText } from "./byte-text.ts";
import { composeSplices } from "./compose-splices.ts";
import type { EditRequest } from "./edit-request.ts";
import { joined, type Pieces } from "./spliced-text.ts";
import { bomOf, type TextContent } from "./text-encoding.ts";

/** What a list of edits does to a file. */
export interface EditPlan {
  /** The whole file after the edits; bytes outside the edited places are those of the file before. */
  readonly after: Pieces;
  /** The edited places, as offsets in the file. */
  readonly splices: readonly Splice[];
  /** One entry for each edit, in order. */
  readonly edits: readonly AppliedEdit[];
  /** All hunks, unbounded, with three lines of context. */
  readonly hunks: readonly Hunk[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export interface EditPlanOptions {
  /** The largest file that edits may lead to; default 64 MiB. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Plans edits of a text file.
 * @param before the whole file, with its byte order mark. It is not changed.
 * @throws ToolError as {@link applyEdit}; with several edits the message names the failing one, `edit 3 of 4: `,
 * and so do the details, `edit: 3`.
 */
export function planEdits(
  before: Buffer,
  content: TextContent,
  edits: readonly EditRequest[],
  { maxBytes = DEFAULT_MAX_BYTES }: EditPlanOptions = {},
): EditPlan {
  if (edits.length === 0) throw new ToolError("invalid_arguments", "edits is empty; give at least one edit");
  const bom = bomOf(content);
  const original = byteText(before.subarray(bom.length), content.encoding);
  let pieces: Pieces = [original.bytes];
  let current: Pick<OffsetText, "slice"> = original;
  let splices: readonly Splice[] = [];
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const text = index === 0 ? original : byteText(joined(pieces), content.encoding);
    const step = namingEdit(index + 1, edits.length, () =>
      applyEdit(text, edit, maxBytes, index > 0 ? original : undefined),
    );
    ({ pieces } = step.text);
    current = step.text;
    splices = index === 0 ? step.splices : composeSplices(splices, step.splices);
    applied.push(step.applied);
  }
  const hunks = hunksFromSplices(original, current, splices);
  return {
    after: [bom, ...pieces],
    splices: inFile(splices, bom.length),
    edits: applied,
    hunks,
    ...countChanges(hunks),
  };
}

/** Offsets of the text behind a mark as offsets of the file. */
function inFile(splices: readonly Splice[], bomBytes: number): Splice[] {
  return splices.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + bomBytes,
    oldEnd: oldEnd + bomBytes,
    newStart: newStart + bomBytes,
    newEnd: newEnd + bomBytes,
  }));
}

function namingEdit(number: number, count: number, step: () => EditedText): EditedText {
  if (count === 1) return step();
  try {
    return step();
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ToolError(
      error.category,
      `no edit was made, because of edit ${number} of ${count}: ${error.message}`,
      {
        details: { ...error.details, edit: number },
        cause: error,
      },
    );
  }
}
