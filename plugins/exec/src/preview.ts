// What a person sees before a command runs: the command itself, where and how it runs, and warnings. Nothing is
// started, written or looked up.
import { type PreviewCall, type RenderNode, ui } from "@pluggableharness/plugin";
import { riskHints } from "./risk-hints.ts";
import type { ExecState } from "./state.ts";

interface CommandInput {
  readonly command: string;
  readonly working_directory?: string;
  readonly stdin?: string;
}

/** `timeoutMs` is undefined for a program without a time limit. */
export async function previewCommand(
  { command, working_directory, stdin }: CommandInput,
  { state, context }: PreviewCall<ExecState>,
  timeoutMs: number | undefined,
): Promise<RenderNode> {
  const directory = working_directory ?? context.workingDirectory;
  const roots = state.jail.roots.flatMap(({ path, realPath }) => [path, realPath]);
  const hints = await riskHints(command, { directory, roots });
  return ui.group(
    ui.codeBlock(command, "bash"),
    ui.text(`In ${directory || "no directory: the call names none"}`),
    ui.text(
      timeoutMs === undefined
        ? "In the background, until it is ended."
        : `For ${timeoutMs / 1_000} s at the most.`,
    ),
    ui.text(sandboxWords(state)),
    ...(stdin === undefined ? [] : [ui.text(`With ${Buffer.byteLength(stdin)} bytes as its input.`)]),
    ...hints.map((hint) => ui.text(hint, "warning")),
  );
}

function sandboxWords({ sandbox }: ExecState): string {
  if (sandbox === undefined) return "No sandbox: it can do what the plugin's user can.";
  const network = sandbox.network ? "with the network" : "without the network";
  return `In a sandbox ${network}; writable: /tmp of its own, ${sandbox.writable.join(", ") || "nothing else"}.`;
}
