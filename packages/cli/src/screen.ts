// What the command writes to: standard output, with colour and width where it is a terminal.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type LogRecord, type PaintOptions, paint } from "@pluggableharness/host";
import { type RenderNode, ui, visibleText } from "@pluggableharness/protocol";
import { RenderTreeSchema } from "@pluggableharness/protocol/wire";

/** Plain where there is no terminal, or where NO_COLOR asks for it. */
export function paintOptions(stream: NodeJS.WriteStream = process.stdout): PaintOptions {
  const colour = stream.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
  return { columns: stream.columns ?? 100, colour, hyperlinks: colour, unfold: true };
}

/** Paints a tree. */
export function show(tree: MessageInitShape<typeof RenderTreeSchema>): void {
  say(paint(create(RenderTreeSchema, tree), paintOptions()));
}

/** Paints a node of the command's own. */
export function showNode(root: RenderNode): void {
  show({ root });
}

/** A line of the command's own. */
export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** A line in bold where there is colour. */
export function heading(line: string): void {
  showNode(ui.text(line, "bold"));
}

/** Writes text as it is. Resolves when it is taken, which holds a fast plugin back; false where nobody reads it. */
export function write(text: string): Promise<boolean> {
  return new Promise((resolve) => process.stdout.write(text, (error) => resolve(error == null)));
}

/** Shows what a plugin warns of. */
export function showLog({ level, message }: LogRecord, provider?: string): void {
  if (level !== "warn" && level !== "error") return;
  const who = provider === undefined ? "" : ` (${provider})`;
  process.stderr.write(`${level}${who}: ${visibleText(message)}\n`);
}
