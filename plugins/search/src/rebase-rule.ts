// A line of an ignore file as it reads from a directory below the file's own: what is left of it there. Pure.
import { compileSegment } from "./segment-pattern.ts";

/**
 * The rules that have the effect of `line`, which stands in an ignore file, in a directory that lies `names` below
 * that file's. None for a line that says nothing about what is in there.
 */
export function rebaseRule(line: string, names: readonly string[]): readonly string[] {
  // Spaces at the end do not count unless escaped; a line of `#` is a comment.
  const rule = line.replace(/\r$/, "").replace(/(?<!\\)[ \t]+$/, "");
  if (rule === "" || rule.startsWith("#")) return [];
  const sign = rule.startsWith("!") ? "!" : "";
  const pattern = rule.slice(sign.length);
  // Without a slash before its end a rule holds at every depth.
  if (!/\/./.test(pattern)) return [rule];
  const segments = pattern.replace(/^\//, "").split("/");
  return [...rests(segments, names)].map((rest) => `${sign}/${rest}`);
}

/** What remains of the segments once they have matched all of `names`; a `**` leaves several possibilities. */
function rests(segments: readonly string[], names: readonly string[]): ReadonlySet<string> {
  let states = withSkippedStars([segments]);
  for (const name of names) {
    const next: (readonly string[])[] = [];
    for (const [first, ...rest] of states) {
      if (first === "**") next.push([first, ...rest]);
      else if (first !== undefined && compileSegment(first, RULES)(name)) next.push(rest);
    }
    states = withSkippedStars(next);
  }
  return new Set(states.map((rest) => rest.join("/")).filter((rest) => rest !== ""));
}

const RULES = { dot: true, ignoreCase: false };

/** A `**` may also stand for no name at all. */
function withSkippedStars(states: readonly (readonly string[])[]): (readonly string[])[] {
  return states.flatMap((segments) => {
    const all = [segments];
    for (let rest = segments; rest[0] === "**" && rest.length > 1; ) {
      rest = rest.slice(1);
      all.push(rest);
    }
    return all;
  });
}
