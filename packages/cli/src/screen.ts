// What the command writes to: standard output, with colour and width where it is a terminal.
import { type PaintOptions, paint } from "@pluggableharness/host";

type RenderTree = Parameters<typeof paint>[0];

/** Plain where there is no terminal, or where NO_COLOR asks for it. */
export function paintOptions(stream: NodeJS.WriteStream = process.stdout): PaintOptions {
  const colour = stream.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
  return { columns: stream.columns ?? 100, colour, hyperlinks: colour, unfold: true };
}

/** Paints a tree. */
export function show(tree: RenderTree): void {
  process.stdout.write(`${paint(tree, paintOptions())}\n`);
}

/** A line of the command's own. */
export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** A line in bold where there is colour. */
export function heading(line: string): void {
  say(paintOptions().colour ? `\u001b[1m${line}\u001b[0m` : line);
}
