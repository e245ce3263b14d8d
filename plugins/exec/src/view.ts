// How results look: a scrollback that folds when it is long, and the line that says how it ended.
import { type RenderNode, ui } from "@pluggableharness/plugin";

const FOLDED_LINES = 20;

/** The output, folded where it is long. */
export function scrollback(output: string, title = "Output"): RenderNode {
  if (output === "") return ui.text("No output.", "dim");
  const lines = output.split("\n").length;
  const summary = `${title} (${lines} ${lines === 1 ? "line" : "lines"})`;
  return ui.collapsible(summary, [ui.codeBlock(output)], { collapsed: lines > FOLDED_LINES });
}

/** Red for what failed. */
export function exitStyle(result: {
  readonly exit_code?: number;
  readonly reason?: string;
}): "error" | "success" {
  return result.exit_code === 0 && (result.reason ?? "exited") === "exited" ? "success" : "error";
}
