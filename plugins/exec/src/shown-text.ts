// The text of some output as a terminal would show it at its end. Most output has neither escapes nor cursor moves: it
// is its own text, and no terminal is needed.
import type { TerminalSize } from "./child.ts";
import { TerminalScreen } from "./terminal-screen.ts";

/** What only a terminal can show: anything but text, tabs and ends of lines. */
const NEEDS_TERMINAL = /[\x01-\x08\x0b-\x1f\x7f-\x9f]/;

/** The text; without white space at the ends of lines where a terminal was needed, and without empty lines at its end. */
export async function shownText(
  bytes: Uint8Array,
  size: TerminalSize,
  newlineReturns: boolean,
): Promise<string> {
  const text = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
  if (!NEEDS_TERMINAL.test(text)) return text.replaceAll("\0", "\u2400").replace(/\n+$/, "");
  const lines: string[] = [];
  using screen = await TerminalScreen.open(size, { newlineReturns, scrolledOff: (line) => lines.push(line) });
  await screen.write(bytes);
  screen.finish();
  return lines.join("\n");
}
