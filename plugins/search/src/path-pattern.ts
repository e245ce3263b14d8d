// A glob over relative paths: `**` for any number of directories, braces, a leading `!` for everything else.
// Text only: what lies on disk is not asked. A pattern can name hidden files by writing their dot.
import { ToolError } from "@pluggableharness/plugin";
import { expandBraces, MAX_ALTERNATIVES } from "./expand-braces.ts";
import { compileSegment, type NameMatcher, type NameRules } from "./segment-pattern.ts";

/** Longer patterns are refused. */
export const MAX_PATTERN_LENGTH = 4_096;

/** A compiled glob. */
export interface PathPattern {
  readonly matches: (path: string) => boolean;
  /** The pattern writes the dot of a hidden name, so hidden files have to be looked at. */
  readonly namesHidden: boolean;
  /** Names, with `*` at the most, one of which every matching file has; undefined where that cannot be said. */
  readonly fileNames: readonly string[] | undefined;
}

type Segment = "**" | NameMatcher;

export interface PatternRules extends NameRules {
  /** A pattern without a slash matches the name at any depth. */
  readonly bareMatchesAnywhere: boolean;
}

/** Throws invalid_arguments that names `field` where the pattern cannot be used. */
export function compilePattern(field: string, pattern: string, rules: PatternRules): PathPattern {
  const refuse = (why: string): ToolError => new ToolError("invalid_arguments", `${field}: ${why}`);
  if (pattern === "") throw refuse("empty; give a pattern such as **/*.ts");
  if (pattern.length > MAX_PATTERN_LENGTH) throw refuse(`longer than ${MAX_PATTERN_LENGTH} characters`);
  if (pattern.includes("\0")) throw refuse("holds a NUL, which no path has");
  const negated = pattern.startsWith("!");
  const positive = (negated ? pattern.slice(1) : pattern).replace(/^(\.\/+)+/, "");
  if (positive === "") throw refuse(`${JSON.stringify(pattern)} names nothing; write what follows`);
  const expanded = expandBraces(positive);
  if (expanded === undefined)
    throw refuse(`its braces stand for more than ${MAX_ALTERNATIVES} patterns; make several calls`);
  const texts = new Set([...expanded, positive]);
  const alternatives = [...texts].map((text) => namesOf(text, rules.bareMatchesAnywhere));
  if (alternatives.some((names) => names.includes("..")))
    throw refuse("`..` leads out of the directory that is searched; name that directory in path instead");
  const compiled = alternatives.map((names) =>
    names.map((name): Segment => (name === "**" ? "**" : compileSegment(name, rules))),
  );
  const matchesAny = (path: string): boolean => {
    const names = path.split("/");
    return compiled.some((segments) => matchesNames(segments, names, rules.dot));
  };
  const matchesQuickly = byFileName(compiled, rules.dot) ?? matchesAny;
  return {
    matches: negated ? (path) => !matchesAny(path) && (rules.dot || !hasHiddenName(path)) : matchesQuickly,
    namesHidden: alternatives.some((names) => names.some((name) => /^\\?\./.test(name))),
    fileNames: negated || rules.ignoreCase ? undefined : fileNamesOf(alternatives),
  };
}

/** True for a path with a name that begins with a dot. */
export function hasHiddenName(path: string): boolean {
  return path.startsWith(".") || path.includes("/.");
}

/** A quick test for the commonest kind of pattern, `**` and the pattern of a name; undefined for any other. */
function byFileName(
  alternatives: readonly (readonly Segment[])[],
  dot: boolean,
): ((path: string) => boolean) | undefined {
  const matchers: NameMatcher[] = [];
  for (const [first, second, third] of alternatives) {
    if (first !== "**" || second === undefined || second === "**" || third !== undefined) return undefined;
    matchers.push(second);
  }
  return (path) => {
    const slash = path.lastIndexOf("/");
    if (!dot && slash >= 0 && hasHiddenName(path.slice(0, slash))) return false;
    const name = path.slice(slash + 1);
    return matchers.some((matches) => matches(name));
  };
}

function namesOf(pattern: string, bareMatchesAnywhere: boolean): string[] {
  const names = pattern.split("/").filter((name, at) => name !== "" || at === 0);
  const relative = names[0] === "" ? names.slice(1) : names;
  if (bareMatchesAnywhere && !pattern.includes("/")) return ["**", ...relative];
  // `dir/` and `dir/**` mean what is below.
  return pattern.endsWith("/") || relative.at(-1) === "**" ? [...relative, "**", "*"] : relative;
}

/** As for the characters of one name: the last `**` is the only point of return. */
function matchesNames(segments: readonly Segment[], names: readonly string[], dot: boolean): boolean {
  let segment = 0;
  let star = -1;
  let retry = 0;
  for (let at = 0; at < names.length; ) {
    const current = segments[segment];
    const name = names[at] ?? "";
    if (current === "**") {
      star = segment++;
      retry = at;
    } else if (current?.(name) === true) {
      segment++;
      at++;
    } else if (star >= 0 && (dot || !(names[retry] ?? "").startsWith("."))) {
      segment = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return segments.slice(segment).every((one) => one === "**");
}

/** In ripgrep's own syntax, which knows braces: a character it could act on stands in a class of its own. */
function fileNamesOf(alternatives: readonly (readonly string[])[]): readonly string[] | undefined {
  const names = alternatives.map((segments) => segments.at(-1) ?? "");
  if (!names.every((name) => !/^\*+$/.test(name) && /^[\w.*{}(),@+$! -]+$/.test(name))) return undefined;
  return [...new Set(names.map((name) => name.replace(/[{}]/g, "[$&]")))];
}
