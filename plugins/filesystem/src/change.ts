// A change of one file: planned without touching anything, so that Preview and Invoke show and do the same; then
// made. Planning and making follow each other without an await, so no other call of this process comes between;
// the jail's version catches other processes.
import type { JailPath, MetadataLoss, PathRequest, WriteReport } from "@pluggableharness/jail";
import { type Hunk, ToolError } from "@pluggableharness/protocol";
import { sha256 } from "./digest.ts";
import type { FoundFile } from "./file-request.ts";
import { failuresAsToolErrors } from "./jail-failure.ts";
import type { FilesystemState } from "./plugin.ts";
import type { Pieces } from "./spliced-text.ts";
import type { Reversal } from "./undo-journal.ts";

/** What a change would do. */
export interface PlannedChange {
  readonly request: PathRequest;
  /** Undefined where the change creates the file. */
  readonly before: FoundFile | undefined;
  readonly after: Pieces;
  /** How to get back from `after` to `before`, given its bytes; for a file that existed. */
  readonly reversal: (before: Buffer) => Reversal;
  /** All of them, unbounded; empty where one side is not text. */
  readonly hunks: readonly Hunk[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Changed lines that stand in no hunk, where the change is too large to compare. */
  readonly linesLeftOut: number;
  /** What a person should know before, and a model after. */
  readonly warnings: readonly string[];
}

/** A change that was made. */
export interface MadeChange {
  readonly path: JailPath;
  readonly sha256: string;
  /** Changes of this file that can be undone now. */
  readonly undoAvailable: number;
  readonly warnings: readonly string[];
}

const lossWarnings: Readonly<Record<MetadataLoss, string>> = {
  hard_links: "the file had other names (hard links); they keep the old content",
  owner: "the file belongs to this process's user now; its owner could not be kept",
  group: "the file belongs to this process's group now; its group could not be kept",
  set_id: "the set-user-id and set-group-id bits were dropped",
  mode: "the file's mode could not be kept",
};

/**
 * Refuses to change a file that somebody else changed since this session saw it.
 * @throws ToolError `concurrency_conflict`, with what to do.
 */
export function refuseIfChanged(state: FilesystemState, sessionId: string, file: FoundFile): void {
  if (!state.requireReadBeforeWrite) return;
  const { key, requested } = file.path;
  const knowledge = state.knownFiles.compare(sessionId, key, file.version, () => sha256(file.bytes));
  if (knowledge !== "changed") return;
  throw new ToolError(
    "concurrency_conflict",
    `${requested} was changed by someone else since it was last read in this session; read it again, then repeat the change`,
  );
}

/** Makes a planned change, notes it for undo, and remembers the new version for the session. */
export function makeChange(state: FilesystemState, sessionId: string, plan: PlannedChange): MadeChange {
  const { before, after, request } = plan;
  const report = failuresAsToolErrors((): WriteReport => {
    if (before === undefined) return state.jail.createFile(request, after);
    return state.jail.replaceFile(request, after, { version: before.version, content: before.bytes });
  });
  const { path } = report;
  const digest = sha256(after);
  const reversal: Reversal =
    before === undefined
      ? { kind: "created", madeDirectories: report.madeDirectories }
      : plan.reversal(before.bytes);
  state.undoJournal.record(path.key, { sessionId, sha256After: digest, reversal });
  state.knownFiles.remember(sessionId, path.key, { version: report.stat.version, sha256: digest });
  return {
    path,
    sha256: digest,
    undoAvailable: state.undoJournal.count(path.key),
    warnings: [...plan.warnings, ...report.losses.map((loss) => lossWarnings[loss])],
  };
}
