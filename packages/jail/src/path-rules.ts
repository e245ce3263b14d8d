// The `hide` and `protect` rules of a jail: which names they cover (catalog.md, "The jail").
// A rule without a slash covers that name at any depth; one with a slash is relative to every root, or,
// if it begins with a root's own path, to that root. What lies below a covered directory is covered too:
// the walk asks for every name on its way, so one name at a time is enough.

import type { Glob } from "./glob.ts";
import { compileGlob, foldName, matchesGlob } from "./glob.ts";
import { JailError, quoted } from "./jail-error.ts";

/** A root as the rules see it. */
export interface RuleRoot {
  /** Absolute spellings of the root, the real one and the given one. */
  readonly spellings: readonly string[];
  /** This root and each root around it, with the names that lead from there to here. */
  readonly lineage: readonly { readonly root: RuleRoot; readonly names: readonly string[] }[];
}

/** Compiled rules. */
export interface PathRules {
  /** The text of the rule that covers this very path; `names` lead from `root`, the last is the one asked for. */
  readonly covering: (root: RuleRoot, names: readonly string[]) => string | undefined;
}

interface AnchoredRule {
  readonly text: string;
  readonly glob: Glob;
  /** Undefined: relative to every root. */
  readonly root: RuleRoot | undefined;
}

/** Throws `invalid_option` for a pattern that cannot be used: a rule that matches nothing protects nothing. */
export function compileRules(
  option: "hide" | "protect",
  patterns: readonly string[],
  roots: readonly RuleRoot[],
): PathRules {
  const literal = new Map<string, string>();
  const bare: { text: string; glob: Glob }[] = [];
  const anchored: AnchoredRule[] = [];
  for (const text of patterns) {
    const { root, pattern } = anchorOf(text, roots);
    const glob = compile(option, text, pattern);
    if (root !== undefined || /.\/./.test(pattern) || pattern.startsWith("/"))
      anchored.push({ text, glob, root });
    else if (/[*?[\]{}\\]/.test(pattern)) bare.push({ text, glob });
    else literal.set(foldName(pattern.replace(/\/$/, "")), text);
  }
  return {
    covering(root, names) {
      const name = foldName(names.at(-1) ?? "");
      const byName = literal.get(name) ?? bare.find((rule) => matchesGlob(rule.glob, [name]))?.text;
      return (
        byName ?? (anchored.length === 0 ? undefined : coveringAnchored(anchored, root, names.map(foldName)))
      );
    },
  };
}

/** True where `names` or a directory on the way to them is covered, or the way from an outer root to `root`. */
export function isCovered(rules: PathRules, root: RuleRoot, names: readonly string[]): boolean {
  return firstCovering(rules, root, names) !== undefined;
}

/** The rule that covers `names` or a directory on the way. */
export function firstCovering(
  rules: PathRules,
  root: RuleRoot,
  names: readonly string[],
): string | undefined {
  for (let length = 1; length <= names.length; length++) {
    const rule = rules.covering(root, names.slice(0, length));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function coveringAnchored(
  rules: readonly AnchoredRule[],
  root: RuleRoot,
  names: readonly string[],
): string | undefined {
  for (const outer of root.lineage) {
    const whole = [...outer.names.map(foldName), ...names];
    const rule = rules.find((one) => (one.root ?? outer.root) === outer.root && matchesGlob(one.glob, whole));
    if (rule !== undefined) return rule.text;
  }
  return undefined;
}

function anchorOf(text: string, roots: readonly RuleRoot[]): { root: RuleRoot | undefined; pattern: string } {
  for (const root of roots) {
    const spelling = root.spellings.find((one) => text.startsWith(`${one}/`) && one !== "/");
    if (spelling !== undefined) return { root, pattern: text.slice(spelling.length) };
  }
  return { root: undefined, pattern: text };
}

function compile(option: "hide" | "protect", text: string, pattern: string): Glob {
  const refuse = (why: string): JailError =>
    new JailError(
      { code: "invalid_option", option },
      `The ${option} rule ${quoted(text)} cannot be used: ${why}.`,
    );
  if (pattern.startsWith("!")) throw refuse("a rule cannot take back another one; remove the `!` rule");
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) throw refuse("`..` never matches, since paths are resolved first");
  try {
    const glob = compileGlob(pattern);
    if (glob.some((segments) => segments.length === 0)) throw refuse("it is empty");
    return glob;
  } catch (error) {
    throw error instanceof RangeError ? refuse(error.message) : error;
  }
}
