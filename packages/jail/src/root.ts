// The roots of a jail: opened once and held. A root is the directory that was found under its path at that
// moment, not the path: what later takes the path's place is refused until somebody configures it.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { DirectoryHandle, WalkPlatform } from "./directory-handle.ts";
import type { FileIdentity } from "./file-stat.ts";
import { isSameFile } from "./file-stat.ts";
import { errnoOf, JailError, quoted } from "./jail-error.ts";
import type { RuleRoot } from "./path-rules.ts";
import type { PathParts } from "./requested-path.ts";
import { absoluteParts } from "./requested-path.ts";

/** One root, held open. */
export interface Root extends RuleRoot {
  /** As configured, made absolute. */
  readonly path: string;
  /** With every link resolved, when it was opened. */
  readonly realPath: string;
  /** `spellings`, taken apart. */
  readonly spellingParts: readonly PathParts[];
  readonly identity: FileIdentity;
  readonly handle: DirectoryHandle;
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
  return withLineages(opened);
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
    if (!statSync(path).isDirectory()) throw refuse("it is not a directory");
    handle = platform.openRoot(path);
    const { dev, ino } = handle.stats();
    const realPath = realpathSync.native(path);
    if (!isSameFile({ dev, ino }, statSync(realPath, { bigint: true })))
      throw refuse("it changed while it was opened; try again");
    const spellings = [...new Set([realPath, path])];
    const spellingParts = spellings.map(absoluteParts);
    return { path, realPath, spellings, spellingParts, identity: { dev, ino }, handle };
  } catch (error) {
    handle?.close();
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw refuse(ROOT_ERRORS[errno] ?? `the operating system reports ${errno}`, error);
  }
}

function withLineages(opened: readonly Omit<Root, "lineage">[]): Root[] {
  const roots = opened.map((root) => {
    const lineage: { root: Root; names: readonly string[] }[] = [];
    return { ...root, lineage };
  });
  for (const inner of roots) {
    for (const root of roots) {
      const names = namesBelow(root.realPath, inner.realPath);
      if (names !== undefined) inner.lineage.push({ root, names });
    }
  }
  return roots;
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
