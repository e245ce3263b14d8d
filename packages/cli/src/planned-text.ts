// A planned call as a person sees it before it is decided: what it is, who decides, and what it would do.
import { create } from "@bufbuild/protobuf";
import { decisionName, type PlannedCall, paint } from "@pluggableharness/host";
import { type ToolError, ui, visibleText } from "@pluggableharness/protocol";
import { RenderTreeSchema } from "@pluggableharness/protocol/wire";
import { fullName } from "./find-operation.ts";
import { paintOptions } from "./screen.ts";

/** Several lines, without a newline at the end. */
export function plannedText(planned: PlannedCall): string {
  const { provider, operation: name } = planned.call;
  const asked = provider === "" ? name : fullName({ provider, name });
  if (planned.status === "refused") return `${visibleText(asked)}\n${failureText(planned.error)}`;
  const { item, operation, warning } = planned;
  const facts = [operation.kind, operation.risk, `${decisionName(item.decision)} (${item.decidedBy})`];
  const lines = [bold(`${fullName(operation)}: ${facts.join(", ")}`)];
  if (warning !== undefined) lines.push(styled(warning, "warning"));
  lines.push(...previewLines(planned));
  return lines.join("\n");
}

/** What a call would do; its arguments where the plugin does not say. */
export function previewLines({ item, noPreview }: Extract<PlannedCall, { status: "planned" }>): string[] {
  if (item.preview !== undefined) return [paint(item.preview, paintOptions())];
  const lines = noPreview === undefined ? [] : [styled(`no preview: ${noPreview}`, "warning")];
  return [...lines, visibleText(JSON.stringify(item.input, undefined, 2))];
}

/** Why a call was not done, or failed. */
export function failureText({ category, message }: ToolError): string {
  return styled(`✗ ${category}: ${message}`, "error");
}

function bold(text: string): string {
  return styled(text, "bold");
}

/** Painting makes what a plugin says harmless. */
function styled(text: string, style: "bold" | "warning" | "error"): string {
  return paint(create(RenderTreeSchema, { root: ui.text(text, style) }), paintOptions());
}
