// Cuts a directory into two halves that two ripgreps list at the same time: sorted by time ripgrep uses one thread, and
// half a tree takes half as long. The cut is only a guess at what is half; what neither guess knows belongs to the
// first half, so that every file comes once.

import { readdirSync } from "node:fs";
import type { JailDirectory } from "@pluggableharness/jail";

/** Fewer directories than this are listed faster by one. */
export const MIN_DIRECTORIES = 16;
/** So many directories are told apart; the rest is in the first half. */
const MAX_DIRECTORIES = 1_024;

/** One half: what ripgrep is to leave out, and what counts of what it finds. */
export interface TreeHalf {
  readonly flags: readonly string[];
  readonly accepts: (path: string) => boolean;
}

/** For a directory that is not cut. */
export const WHOLE_TREE: TreeHalf = { flags: [], accepts: () => true };

/** The halves of a directory; the whole where it is not worth cutting. */
export function splitTree(directory: JailDirectory): readonly TreeHalf[] {
  const units = unitsOf(directory.pathForChild);
  if (units.length < MIN_DIRECTORIES) return [WHOLE_TREE];
  const second = new Set(units.filter((_, index) => index % 2 === 1));
  const isInSecond = (path: string): boolean => {
    const one = path.indexOf("/");
    if (one < 0) return false;
    const two = path.indexOf("/", one + 1);
    return second.has(path.slice(0, one)) || (two >= 0 && second.has(path.slice(0, two)));
  };
  return [
    // ripgrep itself leaves out the second half here: those names are plain, and nothing is to be asked of each path.
    { flags: [...second].map(exclusion), accepts: () => true },
    { flags: units.filter((unit) => !second.has(unit)).map(exclusion), accepts: isInSecond },
  ];
}

/** Directories of the second level, and those of the first that have none. */
function unitsOf(base: string): readonly string[] {
  const units: string[] = [];
  for (const first of directoriesIn(base)) {
    const below = units.length < MAX_DIRECTORIES ? directoriesIn(`${base}/${first}`) : [];
    if (below.length === 0) units.push(first);
    else units.push(...below.map((name) => `${first}/${name}`));
  }
  return units.slice(0, MAX_DIRECTORIES);
}

/** Names for a guess only: nothing of them is given out. */
function directoriesIn(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && isPlain(entry.name) ? [entry.name] : []));
  } catch {
    // Unreadable or gone: ripgrep will say so.
    return [];
  }
}

/** A name that a glob can say exactly. */
function isPlain(name: string): boolean {
  return /^[\w.@-]+$/.test(name);
}

function exclusion(unit: string): string {
  return `--glob=!/${unit}`;
}
