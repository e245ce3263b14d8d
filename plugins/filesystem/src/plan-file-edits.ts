// The plan of edit_file and multi_edit: reads the file, refuses what cannot be edited, and leaves the rest to the
// pure engine in edit-plan.ts.
import type { PreviewCall } from "@pluggableharness/plugin";
import { ToolError } from "@pluggableharness/protocol";
import { type PlannedChange, refuseIfChanged } from "./change.ts";
import { detectContent } from "./content-kind.ts";
import { planEdits } from "./edit-plan.ts";
import type { EditRequest } from "./edit-request.ts";
import { readWhole, requestOf } from "./file-request.ts";
import { failuresAsToolErrors } from "./jail-failure.ts";
import type { FilesystemState } from "./plugin.ts";
import { reversalOfSplices } from "./undo-journal.ts";

export interface PlannedEdits extends PlannedChange {
  /** Places replaced by all edits together. */
  readonly replacements: number;
}

/** Plans edits of a file without changing it. Throws what Invoke would throw. */
export function planFileEdits(
  path: string,
  edits: readonly EditRequest[],
  call: PreviewCall<FilesystemState>,
): PlannedEdits {
  const { jail, maxFileBytes } = call.state;
  const request = requestOf(path, call);
  failuresAsToolErrors(() => jail.checkWritable(request));
  const before = readWhole(jail, request, maxFileBytes);
  const content = detectContent(before.bytes, { isWhole: true });
  if (content.kind === "binary") {
    throw new ToolError(
      "execution_failed",
      `${path} is not a text file (${content.mediaType}, ${before.bytes.length} bytes); it cannot be edited by text`,
      {
        details: { media_type: content.mediaType, size_bytes: before.bytes.length },
      },
    );
  }
  refuseIfChanged(call.state, call.context.sessionId, before);
  const plan = planEdits(before.bytes, content, edits, { maxBytes: maxFileBytes });
  return {
    request,
    before,
    after: plan.after,
    reversal: (bytes) => reversalOfSplices(bytes, plan.splices),
    hunks: plan.hunks,
    linesAdded: plan.linesAdded,
    linesRemoved: plan.linesRemoved,
    linesLeftOut: 0,
    replacements: plan.edits.reduce((sum, edit) => sum + edit.replacements, 0),
    warnings: [],
  };
}
