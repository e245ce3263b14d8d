// One name of a glob: `*`, `?`, `[a-z]`, `[!a]`, `\` before a literal character; everything else, also
// `( ) @ + ! $`, is itself. A segment always matches the name it looks like, so `[id]` finds the directory `[id]`.
// Matching takes at most (pattern length × name length) steps: no name and no pattern can make it hang.

type Token =
  | { readonly kind: "star" | "any" }
  | { readonly kind: "char"; readonly char: string }
  | {
      readonly kind: "class";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** How names are compared. */
export interface NameRules {
  /** A wildcard at the front matches a name that begins with a dot. */
  readonly dot: boolean;
  readonly ignoreCase: boolean;
}

/** True where a name is matched. */
export type NameMatcher = (name: string) => boolean;

/** Compiles the pattern of one name; it has no slash and is not `**`. */
export function compileSegment(pattern: string, rules: NameRules): NameMatcher {
  const fold = rules.ignoreCase
    ? (text: string): string => text.toLowerCase()
    : (text: string): string => text;
  const literal = fold(pattern);
  const tokens = tokensOf(literal);
  const hidesDots = !rules.dot && tokens[0]?.kind !== "char";
  const [first] = tokens;
  const suffix = first?.kind === "star" ? charsOf(tokens.slice(1)) : undefined;
  const exact = charsOf(tokens);
  return (given) => {
    const name = fold(given);
    if (name === literal || name === exact) return true;
    if (exact !== undefined || (hidesDots && name.startsWith("."))) return false;
    if (suffix !== undefined) return name.endsWith(suffix);
    return matchesTokens(tokens, [...name]);
  };
}

/** The text that consists of these tokens, where they are all characters. */
function charsOf(tokens: readonly Token[]): string | undefined {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "char") return undefined;
    text += token.char;
  }
  return text;
}

/** One point of return is enough: the last star. */
function matchesTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0;
  let star = -1;
  let retry = 0;
  for (let at = 0; at < chars.length; ) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      retry = at;
    } else if (current !== undefined && matchesChar(current, chars[at] ?? "")) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every(({ kind }) => kind === "star");
}

function matchesChar(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind !== "class") return true;
  return token.ranges.some(([low, high]) => low <= char && char <= high) !== token.negated;
}

function tokensOf(pattern: string): Token[] {
  const chars = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const next = chars[at + 1];
    const end = char === "[" ? classEnd(chars, at) : -1;
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\" && next !== undefined) tokens.push({ kind: "char", char: chars[++at] ?? "" });
    else if (end > 0) {
      tokens.push(classOf(chars.slice(at + 1, end)));
      at = end;
    } else tokens.push({ kind: "char", char });
  }
  return tokens;
}

/** Index of the `]` that ends the class begun at `start`, or -1: then the bracket is an ordinary character. */
function classEnd(chars: readonly string[], start: number): number {
  const first = chars[start + 1] === "!" || chars[start + 1] === "^" ? start + 2 : start + 1;
  return chars.indexOf("]", first + 1);
}

function classOf(body: readonly string[]): Token {
  const negated = body[0] === "!" || body[0] === "^";
  const chars = negated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at++) {
    const low = chars[at] ?? "";
    const high = chars[at + 1] === "-" ? chars[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return { kind: "class", negated, ranges };
}
