// The words of a command as the shell would see them after quotes and escapes are gone, where that can be known without
// running anything.
import type { ShellNode } from "./shell-parser.ts";

/** A word; undefined where it depends on something that only running it would tell. */
export type Word = string | undefined;

/** The text of a node that is one word. */
export function wordOf(node: ShellNode): Word {
  switch (node.type) {
    case "word":
      // A pattern or a tilde is expanded by the shell, but is shown as it is: both only make a name longer.
      return node.text.replace(/\\\n/g, "").replace(/\\(.)/gs, "$1");
    case "number":
      return node.text;
    case "raw_string":
      return node.text.slice(1, -1);
    case "ansi_c_string":
      return decodeAnsi(node.text.slice(2, -1));
    case "string":
      return node.namedChildren.every((child) => child?.type === "string_content")
        ? node.text
            .slice(1, -1)
            .replace(/\\(["\\$`])/g, "$1")
            .replace(/\\\n/g, "")
        : undefined;
    case "concatenation":
    case "command_name": {
      const parts = node.namedChildren.map((child) => (child === null ? undefined : wordOf(child)));
      return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
    }
    default:
      return undefined;
  }
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

function decodeAnsi(text: string): string {
  return text.replace(/\\(x[0-9a-f]{1,2}|u[0-9a-f]{1,4}|[0-7]{1,3}|.)/gis, (_whole, code: string) => {
    if (/^[xu]./i.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return SIMPLE[code] ?? code;
  });
}
