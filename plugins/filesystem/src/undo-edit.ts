// undo_edit: put back what was there before this plugin's last change of a file, if nobody changed it since
// (catalog.md, 'undo_edit').
import { dirname } from "node:path";
import type { JailPath } from "@pluggableharness/jail";
import { type PreviewCall, s, ToolError } from "@pluggableharness/plugin";
import { type ByteText, byteText } from "./byte-text.ts";
import type { MadeChange, PlannedChange } from "./change.ts";
import { changeProperties, changeResult, previewChange, renderChange } from "./change-view.ts";
import { detectContent } from "./content-kind.ts";
import { sha256 } from "./digest.ts";
import { type FoundFile, readWhole, requestOf } from "./file-request.ts";
import { failuresAsToolErrors } from "./jail-failure.ts";
import { type FilesystemState, filesystem } from "./plugin.ts";
import { diffTexts, type TextDiff } from "./text-diff.ts";
import { bomOf } from "./text-encoding.ts";
import { type Reversal, revert } from "./undo-journal.ts";

export const undoEdit = filesystem.defineTool({
  name: "undo_edit",
  kind: "resource",
  risk: "moderate",
  idempotent: false,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["path"] },
  description:
    "Takes back the last change that this plugin made to a file: puts back its content, or removes the file if that change created it. Fails if somebody else changed the file since. Call it again to take back the change before.",
  input: s.object({ path: s.string("The file, absolute or relative to the working directory.") }),
  output: s.object({
    operation: s.literal("undo_edit"),
    removed: s.boolean("The file was removed, since the change had created it."),
    ...changeProperties,
  }),

  preview(input, call) {
    return previewChange("Undo the last change of", input.path, () => planUndo(input.path, call));
  },

  async invoke(input, call) {
    const plan = planUndo(input.path, call);
    const made = undo(call.state, call.context.sessionId, plan);
    return { operation: "undo_edit", removed: plan.reversal.kind === "created", ...changeResult(plan, made) };
  },

  render: (output) => renderChange(output.removed ? "Removed" : "Took back the last change of", output),
});

interface PlannedUndo extends Omit<PlannedChange, "reversal"> {
  readonly before: FoundFile;
  readonly reversal: Reversal;
}

function planUndo(path: string, call: PreviewCall<FilesystemState>): PlannedUndo {
  const { jail, undoJournal, maxFileBytes } = call.state;
  const request = requestOf(path, call);
  const { key } = failuresAsToolErrors(() => {
    jail.checkWritable(request);
    return jail.resolve(request);
  });
  const entry = undoJournal.last(key);
  if (entry === undefined) {
    throw new ToolError(
      "not_found",
      `there is no change of ${path} to undo: this plugin has not changed it, or no longer knows what was there before`,
    );
  }
  const before = readWhole(jail, request, maxFileBytes);
  if (sha256(before.bytes) !== entry.sha256After) {
    throw new ToolError(
      "concurrency_conflict",
      `${path} was changed by someone else since this plugin's last change of it; undoing would lose that. Read it and edit it instead`,
    );
  }
  const { reversal } = entry;
  const after = reversal.kind === "created" ? Buffer.alloc(0) : revert(before.bytes, reversal);
  return { request, before, after: [after], reversal, ...diffOf(before.bytes, after), warnings: [] };
}

function undo(
  { jail, undoJournal, knownFiles }: FilesystemState,
  sessionId: string,
  plan: PlannedUndo,
): MadeChange {
  const { request, before, after, reversal } = plan;
  const { path } = before;
  const seen = { version: before.version, content: before.bytes };
  if (reversal.kind === "created") {
    failuresAsToolErrors(() => jail.removeFile(request, seen));
    removeMadeDirectories(jail, path, reversal.madeDirectories);
    knownFiles.forget(sessionId, path.key);
  } else {
    const report = failuresAsToolErrors(() => jail.replaceFile(request, after, seen));
    knownFiles.remember(sessionId, path.key, { version: report.stat.version, sha256: sha256(after) });
  }
  undoJournal.removeLast(path.key);
  return { path, sha256: sha256(after), undoAvailable: undoJournal.count(path.key), warnings: [] };
}

/** The directories that came with the file, from the innermost; one that is in use by now stays, with those above it. */
function removeMadeDirectories(jail: FilesystemState["jail"], path: JailPath, count: number): void {
  let directory = dirname(path.realPath);
  for (let made = 0; made < count; made++) {
    try {
      jail.removeDirectory({ path: directory });
    } catch {
      // Not a failure of the undo: the file is gone, and what else lies here is not ours.
      return;
    }
    directory = dirname(directory);
  }
}

const noDiff: TextDiff = { hunks: [], linesAdded: 0, linesRemoved: 0, linesLeftOut: 0 };

/** Nothing where one side is no text, or each is text of another kind. */
function diffOf(before: Buffer, after: Buffer): TextDiff {
  const old = textOf(before);
  const restored = textOf(after);
  if (old === undefined || restored === undefined) return noDiff;
  const isComparable = old.encoding === restored.encoding || old.length === 0 || restored.length === 0;
  if (!isComparable) return noDiff;
  const encoding = old.length === 0 ? restored.encoding : old.encoding;
  return diffTexts(byteText(old.bytes, encoding), byteText(restored.bytes, encoding));
}

function textOf(bytes: Buffer): ByteText | undefined {
  const content = detectContent(bytes, { isWhole: true });
  return content.kind === "text"
    ? byteText(bytes.subarray(bomOf(content).length), content.encoding)
    : undefined;
}
