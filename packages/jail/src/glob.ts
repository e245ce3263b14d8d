// The globs of `hide` and `protect`: `*`, `?`, `**`, `[a-z]`, `{a,b}`, `\` before a literal character.
// Written here because node:path.matchesGlob is missing on Node 20. Matching is always blind to case and
// to Unicode normalisation: on a file system that is, `.GIT` opens `.git`, and a rule must not depend
// on knowing which one this is. Matching takes at most (pattern length × name length) steps.

/** A compiled pattern: alternatives of path segments. */
export type Glob = readonly (readonly Segment[])[];

type Segment = "**" | { readonly literal: string; readonly tokens: readonly Token[] };
type Token =
  | { readonly kind: "star" | "any" }
  | { readonly kind: "char"; readonly char: string }
  | {
      readonly kind: "class";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** `{a,b}` multiplies; more alternatives than this are refused. */
const MAX_ALTERNATIVES = 256;

/** Throws a RangeError that says why, where the pattern cannot be used. */
export function compileGlob(pattern: string): Glob {
  return expandBraces(foldName(pattern)).map((alternative) => {
    const segments = alternative
      .split("/")
      .filter((segment) => segment !== "" && segment !== ".")
      .map(compileSegment);
    // A last `**` stands for what is below, not for the directory itself.
    return segments.at(-1) === "**" ? [...segments, compileSegment("*")] : segments;
  });
}

/** Whether the whole of `names`, folded path segments, is matched. */
export function matchesGlob(glob: Glob, names: readonly string[]): boolean {
  return glob.some((segments) =>
    matchSequence(segments, names, (segment) => segment === "**", matchesSegment),
  );
}

/** One form for all spellings of a name that some file system takes for the same. */
export function foldName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  // HFS+ ignores these characters within a name, so `.g\u200cit` opens `.git` there.
  const visible = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu, "");
  return visible.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** Wildcard matching with one point of return: the last star. Earlier stars never need to be tried again. */
function matchSequence<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isStar: (part: Part) => boolean,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0;
  let star = -1;
  let retry = 0;
  for (let item = 0; item < items.length; ) {
    const current = parts[part];
    const value = items[item];
    if (current !== undefined && isStar(current)) {
      star = part++;
      retry = item;
    } else if (current !== undefined && value !== undefined && matches(current, value)) {
      part++;
      item++;
    } else if (star >= 0) {
      part = star + 1;
      item = ++retry;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(isStar);
}

function matchesSegment(segment: Segment, name: string): boolean {
  if (segment === "**") return true;
  // `[id]` is also the name it looks like: for a rule that forbids, matching more is the safe side.
  return (
    segment.literal === name ||
    matchSequence(segment.tokens, [...name], (token) => token.kind === "star", matchesToken)
  );
}

function matchesToken(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind !== "class") return true;
  return token.ranges.some(([low, high]) => low <= char && char <= high) !== token.negated;
}

function compileSegment(text: string): Segment {
  if (text === "**") return "**";
  const chars = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const next = chars[at + 1];
    const end = char === "[" ? classEnd(chars, at) : -1;
    if (char === "*") tokens.push({ kind: "star" });
    else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\" && next !== undefined) tokens.push({ kind: "char", char: chars[++at] ?? "" });
    else if (end > 0) {
      tokens.push(compileClass(chars.slice(at + 1, end)));
      at = end;
    } else tokens.push({ kind: "char", char });
  }
  return { literal: text, tokens };
}

/** Index of the `]` that ends the class begun at `start`, or -1: then the bracket is an ordinary character. */
function classEnd(chars: readonly string[], start: number): number {
  const first = chars[start + 1] === "!" || chars[start + 1] === "^" ? start + 2 : start + 1;
  return chars.indexOf("]", first + 1);
}

function compileClass(body: readonly string[]): Token {
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

function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else open.push(...group);
    if (done.length + open.length > MAX_ALTERNATIVES) {
      throw new RangeError(
        `its braces stand for more than ${MAX_ALTERNATIVES} patterns; write several rules`,
      );
    }
  }
  return done;
}

/** The pattern once for each member of its first innermost `{a,b}`; undefined where it has none. */
function firstGroup(pattern: string): string[] | undefined {
  const group = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (group === null) return undefined;
  const before = pattern.slice(0, group.index);
  const after = pattern.slice(group.index + group[0].length);
  return (group[1] ?? "").split(",").map((member) => before + member + after);
}
