// The roots of a jail: opened once, found again by spelling or by identity. An absolute path only ever
// chooses the root to begin at; the walk then starts from the root's own handle, so nothing that changes
// outside can lead it elsewhere.
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import type { DirectoryHandle, WalkPlatform } from "./directory-handle.ts";
import { encodeName } from "./file-name.ts";
import type { FileIdentity } from "./file-stat.ts";
import { isSameFile } from "./file-stat.ts";
import { errnoOf, JailError, quoted } from "./jail-error.ts";
import type { RuleRoot } from "./path-rules.ts";
import type { PathParts } from "./requested-path.ts";

/** One root, held open. */
export interface Root extends RuleRoot {
  /** As configured, made absolute. */
  readonly path: string;
  /** With every link resolved, when it was opened. */
  readonly realPath: string;
  readonly identity: FileIdentity;
  readonly handle: DirectoryHandle;
}

/** Where a walk begins: names still to be walked, from a root. */
export interface Entrance {
  readonly root: Root;
  readonly names: readonly string[];
}

/** Opens all roots or none. Throws `invalid_option` that names the root and what is wrong with it. */
export function openRoots(paths: readonly string[], baseDirectory: string, platform: WalkPlatform): Root[] {
  if (paths.length === 0) {
    throw new JailError(
      { code: "invalid_option", option: "roots" },
      "At least one root is needed: name the directories that may be used.",
    );
  }
  const opened: Omit<Root, "lineage">[] = [];
  try {
    for (const path of paths) opened.push(openRoot(path, baseDirectory, platform));
  } catch (error) {
    for (const root of opened) root.handle.close();
    throw error;
  }
  const roots: (Root & { lineage: { root: Root; names: readonly string[] }[] })[] = opened.map((root) => ({
    ...root,
    lineage: [],
  }));
  for (const inner of roots) {
    for (const root of roots) {
      const names = namesBelow(root.realPath, inner.realPath);
      if (names !== undefined) inner.lineage.push({ root, names });
    }
  }
  return roots;
}

function openRoot(text: string, baseDirectory: string, platform: WalkPlatform): Omit<Root, "lineage"> {
  const refuse = (why: string, cause?: unknown): JailError =>
    new JailError(
      { code: "invalid_option", option: "roots" },
      `The root ${quoted(text)} cannot be used: ${why}.`,
      { cause },
    );
  if (text === "" || text.includes("\0")) throw refuse("it is not a path");
  if (!isAbsolute(baseDirectory)) throw refuse("the base directory for relative roots is not absolute");
  const path = resolve(baseDirectory, text);
  let handle: DirectoryHandle | undefined;
  try {
    handle = platform.openRoot(path);
    const { dev, ino } = handle.stats();
    const realPath = realpathSync.native(path);
    if (!isSameFile({ dev, ino }, statSync(realPath, { bigint: true })))
      throw refuse("it changed while it was opened; try again");
    return { path, realPath, spellings: [...new Set([realPath, path])], identity: { dev, ino }, handle };
  } catch (error) {
    handle?.close();
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw refuse(ROOT_ERRORS[errno] ?? `the operating system reports ${errno}`, error);
  }
}

const ROOT_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist; create the directory or correct the path",
  ENOTDIR: "it is not a directory",
  EACCES: "this process has no permission to enter it",
  ELOOP: "its symbolic links lead in a circle",
};

/** Names that lead from `outer` to `inner`, [] for the same; undefined where it is not inside. Whole names only. */
export function namesBelow(outer: string, inner: string): readonly string[] | undefined {
  const way = relative(outer, inner);
  if (way === "") return [];
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way.split(sep);
}

/**
 * Throws `root_replaced` where the root's path now leads to another directory. The handle still leads to
 * the old one, so this is no matter of safety: two directories under one path would confuse every caller.
 */
export function checkRoot(root: Root): void {
  const now = statSync(root.path, { bigint: true, throwIfNoEntry: false });
  if (now !== undefined && isSameFile(now, root.identity)) return;
  throw new JailError(
    { code: "root_replaced", root: root.path },
    `The root ${quoted(root.path)} is no longer the directory it was at configuration; configure again to use what is there now.`,
  );
}

/**
 * Finds the root an absolute path leads into, or undefined. `isWholePath`: the last name is the object
 * itself and must not be followed, so a link outside that leads in is not in.
 */
export function findEntrance(
  roots: readonly Root[],
  parts: PathParts,
  isWholePath: boolean,
): Entrance | undefined {
  return entranceBySpelling(roots, parts) ?? entranceByIdentity(roots, parts, isWholePath);
}

/** The longest spelling of a root that the path begins with. A spelling holds no `..`, so this is exact. */
function entranceBySpelling(roots: readonly Root[], parts: PathParts): Entrance | undefined {
  let best: { root: Root; length: number } | undefined;
  for (const root of roots) {
    for (const spelling of root.spellings) {
      const { root: anchor } = parse(spelling);
      const names = spelling
        .slice(anchor.length)
        .split(sep)
        .filter((name) => name !== "");
      const begins = anchor === parts.anchor && names.every((name, index) => name === parts.names[index]);
      if (begins && names.length >= (best?.length ?? 0)) best = { root, length: names.length };
    }
  }
  return best === undefined ? undefined : { root: best.root, names: parts.names.slice(best.length) };
}

/** Looks at each directory on the way until one is a root: other links to it, other case, NFC against NFD. */
function entranceByIdentity(
  roots: readonly Root[],
  parts: PathParts,
  isWholePath: boolean,
): Entrance | undefined {
  let current = parts.anchor ?? "";
  for (const [index, name] of parts.names.entries()) {
    if (name === ".") continue;
    current = name === ".." ? dirname(current) : join(current, name);
    const rest = parts.names.slice(index + 1);
    const found = lookOutside(current, isWholePath && rest.length === 0);
    if (found === undefined) return undefined;
    current = found.realPath;
    const root = roots.find((one) => isSameFile(one.identity, found.identity));
    if (root !== undefined) return { root, names: rest };
    const inside = found.isLink ? entranceBySpelling(roots, realParts(current)) : undefined;
    if (inside !== undefined) return { root: inside.root, names: [...inside.names, ...rest] };
  }
  return undefined;
}

function realParts(realPath: string): PathParts {
  const anchor = parse(realPath).root;
  return { anchor, names: realPath.slice(anchor.length).split(sep) };
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
