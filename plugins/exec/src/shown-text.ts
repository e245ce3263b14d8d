// The text of some output as a terminal would show it at its end. Most output has neither escapes nor cursor moves: it
// is its own text, and no terminal is needed.
import type { TerminalSize } from "./child.ts";
import { TerminalScreen } from "./terminal-screen.ts";

/** True for what only a terminal can show: anything but text, NUL, tabs and ends of lines. */
export function needsTerminal(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20) {
      if (byte === 0x7f) return true;
      // The second half of the control characters, as UTF-8.
      if (byte === 0xc2 && ((bytes[at + 1] ?? 0) & 0xe0) === 0x80) return true;
    } else if (byte === 13 ? bytes[at + 1] !== 10 : byte !== 10 && byte !== 9 && byte !== 0) {
      return true;
    }
  }
  return false;
}

/** The text; without empty lines at its end, and without white space at ends of lines where a terminal was needed. */
export async function shownText(
  bytes: Uint8Array,
  size: TerminalSize,
  newlineReturns: boolean,
): Promise<string> {
  if (!needsTerminal(bytes)) {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return text.replaceAll("\r\n", "\n").replaceAll("\0", "\u2400").replace(/\n+$/, "");
  }
  const lines: string[] = [];
  using screen = await TerminalScreen.open(size, { newlineReturns, scrolledOff: (line) => lines.push(line) });
  await screen.write(bytes);
  screen.finish();
  return lines.join("\n");
}
