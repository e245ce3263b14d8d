// How a change looks: as the result every mutation returns, as the preview a person approves, and as the render
// of a stored result. All three show the same diff.

import { type RenderNode, s, ui } from "@pluggableharness/plugin";
import { boundHunks, formatUnified, type Hunk, isToolError, parseUnified } from "@pluggableharness/protocol";
import type { MadeChange, PlannedChange } from "./change.ts";
import { sizeOf } from "./spliced-text.ts";

/** Lines and UTF-16 units of a diff in a result, a preview or a render. */
const DIFF_BOUNDS = { maxLines: 400, maxChars: 32 * 1024 } as const;

/** A planned change, as far as it is shown. */
type ShownPlan = Omit<PlannedChange, "reversal">;

/** Properties that the results of all mutations share. */
export const changeProperties = {
  path: s.string("The file, as it was asked for."),
  real_path: s.string("Where the file is, absolute and with every link resolved."),
  size_bytes: s.number("Size of the file now."),
  size_bytes_before: s.optional(s.number("Size before; missing where the file is new.")),
  lines_added: s.number("Lines added."),
  lines_removed: s.number("Lines removed."),
  sha256: s.string("Of the file now, in hex; write_file takes it as expected_sha256."),
  diff: s.string("Unified diff of the change, cut at 400 lines."),
  diff_lines_left_out: s.optional(s.number("Lines of the diff that were cut.")),
  undo_available: s.number("How many changes of this file undo_edit can take back."),
  warnings: s.optional(s.array(s.string("One."), "What else happened.")),
} as const;

/** The values of `changeProperties` for a change that was made. */
export function changeResult(plan: ShownPlan, made: MadeChange) {
  const { hunks, linesLeftOut: linesCut } = boundHunks(plan.hunks, DIFF_BOUNDS);
  const linesLeftOut = linesCut + plan.linesLeftOut;
  const path = plan.request.path;
  return {
    path,
    real_path: made.path.realPath,
    size_bytes: sizeOf(plan.after),
    ...(plan.before !== undefined && { size_bytes_before: plan.before.bytes.length }),
    lines_added: plan.linesAdded,
    lines_removed: plan.linesRemoved,
    sha256: made.sha256,
    diff: formatUnified(hunks, { oldPath: plan.before === undefined ? "/dev/null" : path, newPath: path }),
    ...(linesLeftOut > 0 && { diff_lines_left_out: linesLeftOut }),
    undo_available: made.undoAvailable,
    ...(made.warnings.length > 0 && { warnings: [...made.warnings] }),
  };
}

/**
 * The preview of a change. Where planning fails in a way the call itself would, the person sees the reason
 * instead of a diff; other failures are thrown.
 */
export function previewChange(verb: string, path: string, plan: () => ShownPlan): RenderNode {
  try {
    const { hunks, linesAdded, linesRemoved, linesLeftOut, warnings } = plan();
    return ui.group(
      ui.text(headline(verb, path, linesAdded, linesRemoved), "bold"),
      ...diffNodes(hunks, linesLeftOut),
      ...warnings.map((warning) => ui.text(warning, "warning")),
    );
  } catch (error) {
    if (!isToolError(error)) throw error;
    return ui.group(
      ui.text(`${verb} ${path}`, "bold"),
      ui.text(`This would fail (${error.category}): ${error.message}`, "warning"),
    );
  }
}

/** What a stored result needs for its render. */
interface ShownChange {
  readonly path: string;
  readonly real_path: string;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly diff: string;
  readonly diff_lines_left_out?: number;
  readonly undo_available: number;
  readonly warnings?: readonly string[];
}

/** The render of a stored result: its diff, and a button to take it back. */
export function renderChange(verb: string, change: ShownChange): RenderNode {
  const undo = ui.action({
    id: "undo",
    label: "Undo",
    provider: "filesystem",
    toolName: "undo_edit",
    args: { path: change.real_path },
  });
  return ui.group(
    ui.text(headline(verb, change.path, change.lines_added, change.lines_removed), "bold"),
    ...diffNodes(parseUnified(change.diff), change.diff_lines_left_out ?? 0),
    ...(change.warnings ?? []).map((warning) => ui.text(warning, "warning")),
    ...(change.undo_available > 0 ? [undo] : []),
  );
}

function headline(verb: string, path: string, added: number, removed: number): string {
  return `${verb} ${path} (+${added} −${removed})`;
}

function diffNodes(all: readonly Hunk[], leftOutBefore: number): RenderNode[] {
  const { hunks, linesLeftOut } = boundHunks(all, DIFF_BOUNDS);
  const leftOut = linesLeftOut + leftOutBefore;
  const notes = [
    ...newlineNotes(hunks),
    ...(leftOut > 0 ? [`${leftOut} more lines of the diff are not shown`] : []),
  ];
  const diff = hunks.length > 0 ? [ui.diff(hunks)] : [];
  return [...diff, ...notes.map((note) => ui.text(note, "dim"))];
}

/** A DiffNode has no place for it, so it is said beside it (wire.md, `DiffLine`). */
function newlineNotes(hunks: readonly Hunk[]): string[] {
  const without = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.noNewline === true));
  const before = without.some(({ op }) => op !== "add");
  const after = without.some(({ op }) => op !== "remove");
  if (before && after) return ["No newline at the end of the file."];
  if (before) return ["The file gets a newline at its end, which it did not have."];
  return after ? ["The file has no newline at its end after this."] : [];
}
