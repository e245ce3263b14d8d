// Which root an absolute path leads into: by spelling, or else by looking at the directories on the way.
// The path only ever chooses the root to begin at; the walk then starts from the root's own handle, so
// nothing that changes outside can lead it elsewhere.
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeName } from "./file-name.ts";
import type { FileIdentity } from "./file-stat.ts";
import { isSameFile } from "./file-stat.ts";
import { errnoOf } from "./jail-error.ts";
import { absoluteParts } from "./requested-path.ts";
import type { Root } from "./root.ts";

/**
 * Finds the root that an absolute path leads into and takes the names that led there off `pending`, whose
 * next name is its last; undefined where there is none. `keepLast`: the last name is the object itself and
 * must not be followed, so a link outside that leads in is not in.
 */
export function findEntrance(
  roots: readonly Root[],
  anchor: string,
  pending: string[],
  keepLast: boolean,
): Root | undefined {
  return entranceBySpelling(roots, anchor, pending) ?? entranceByIdentity(roots, anchor, pending, keepLast);
}

/** The longest spelling of a root that the path begins with. A spelling holds no `..`, so this is exact. */
function entranceBySpelling(roots: readonly Root[], anchor: string, pending: string[]): Root | undefined {
  let best: { root: Root; length: number } | undefined;
  for (const root of roots) {
    for (const spelling of root.spellingParts) {
      const { names } = spelling;
      const begins =
        spelling.anchor === anchor &&
        names.every((name, index) => name === pending[pending.length - 1 - index]);
      if (begins && names.length >= (best?.length ?? 0)) best = { root, length: names.length };
    }
  }
  pending.length -= best?.length ?? 0;
  return best?.root;
}

/** Looks at each directory on the way until one is a root: other links to it, other case, NFC against NFD. */
function entranceByIdentity(
  roots: readonly Root[],
  anchor: string,
  pending: string[],
  keepLast: boolean,
): Root | undefined {
  let current = anchor;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const found = lookOutside(
      name === ".." ? dirname(current) : join(current, name),
      keepLast && pending.length === 0,
    );
    if (found === undefined) return undefined;
    current = found.realPath;
    const root = roots.find((one) => isSameFile(one.identity, found.identity));
    if (root !== undefined) return root;
    if (found.isLink) {
      const real = absoluteParts(current);
      const rest = [...real.names].reverse();
      const around = entranceBySpelling(roots, real.anchor, rest);
      if (around !== undefined) {
        pending.push(...rest);
        return around;
      }
    }
  }
  return undefined;
}

interface OutsideLook {
  readonly identity: FileIdentity;
  readonly realPath: string;
  readonly isLink: boolean;
}

/** Any failure out there means "not a way in", and must look the same as a success that leads nowhere. */
function lookOutside(path: string, isObject: boolean): OutsideLook | undefined {
  try {
    const own = lstatSync(encodeName(path), { bigint: true });
    if (!own.isSymbolicLink()) return { identity: own, realPath: path, isLink: false };
    if (isObject) return undefined;
    const realPath = realpathSync.native(path);
    return { identity: lstatSync(realPath, { bigint: true }), realPath, isLink: true };
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
