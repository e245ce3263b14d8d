// `{a,b}` and `{1..3}` of a glob, multiplied out; nested ones too. `{a}` is the name `{a}`.

/** More alternatives than this are refused. */
export const MAX_ALTERNATIVES = 256;

/** Every pattern the braces stand for; undefined where there are too many. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const done = new Set<string>();
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.add(next);
    else open.push(...group);
    if (done.size + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return [...done];
}

/** The pattern once for each member of its first innermost group; undefined where it has none. */
function firstGroup(pattern: string): string[] | undefined {
  const group = /(?<!\\)\{((?:[^{}]*,[^{}]*)|-?\d{1,6}\.\.-?\d{1,6})\}/.exec(pattern);
  if (group === null) return undefined;
  const before = pattern.slice(0, group.index);
  const after = pattern.slice(group.index + group[0].length);
  return membersOf(group[1] ?? "").map((member) => before + member + after);
}

function membersOf(body: string): string[] {
  if (body.includes(",")) return body.split(",");
  const [from = 0, to = 0] = body.split("..").map(Number);
  const step = from <= to ? 1 : -1;
  // One more than is allowed is enough to be refused.
  const count = Math.min(Math.abs(to - from), MAX_ALTERNATIVES) + 1;
  return Array.from({ length: count }, (_, index) => String(from + index * step));
}
