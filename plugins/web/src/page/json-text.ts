// JSON as it came, or with line breaks and indentation where it is small. Only white space between tokens changes:
// numbers keep all their digits, keys their order and their repetitions. Pure.

/** Larger documents keep their own layout: indentation would only fill the pages. */
const MAX_PRETTY_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 100;

/** Indented where it is valid JSON, small and on one line. */
export function jsonText(text: string): string {
  if (text.length > MAX_PRETTY_CHARACTERS || /\n[ \t]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text; // a SyntaxError: not JSON, shown as it is
  }
  return indented(text.trim());
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function indented(text: string): string {
  const out: string[] = [];
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  const newLine = (): number => out.push(`\n${"  ".repeat(Math.min(depth, MAX_DEPTH))}`);
  tokens.forEach((token, at) => {
    const isEmpty = /^[{[]$/.test(tokens[at - 1] ?? "") && /^[}\]]$/.test(token);
    if (/^[}\]]$/.test(token)) {
      depth--;
      if (!isEmpty) newLine();
    } else if (/^[{[]$/.test(tokens[at - 1] ?? "")) newLine();
    out.push(token === ":" ? ": " : token);
    if (/^[{[]$/.test(token)) depth++;
    else if (token === ",") newLine();
  });
  return out.join("");
}
