// The order of paths: name by name, as a walk that sorts each directory meets them. `a/b` comes before `a.txt`.

/** Compares two different relative paths; the slash is lower than every other character. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return left === SLASH ? -1 : right === SLASH ? 1 : left - right;
  }
  return a.length - b.length;
}

const SLASH = 0x2f;
