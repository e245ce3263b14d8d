// Puts files of the same time in the order of their paths. ripgrep has put them newest first already; which of two
// files of the same time comes first it leaves open, and pages would overlap.
import { lstatSync } from "node:fs";
import type { JailDirectory } from "@pluggableharness/jail";
import { comparePaths } from "./path-order.ts";

/** So many paths beyond a page are at hand to find where a run of files of the same time ends. */
export const TIE_MARGIN = 100_000;

/**
 * The first `count` or more of several lists, newest first, files of the same time by path. Looks beyond `count` only
 * as far as the time there stays the same. Times are used for the order and not given out.
 */
export function newestFirst(
  lists: readonly (readonly string[])[],
  count: number,
  directory: JailDirectory,
): readonly string[] {
  return lists
    .flatMap((paths) => timedFirst(paths, count, directory.pathForChild))
    .sort((a, b) => (a.time === b.time ? comparePaths(a.path, b.path) : a.time < b.time ? 1 : -1))
    .map(({ path }) => path);
}

interface TimedPath {
  readonly path: string;
  readonly time: bigint;
}

function timedFirst(paths: readonly string[], count: number, base: string): TimedPath[] {
  const timed: TimedPath[] = [];
  for (const path of paths) {
    const time = modifiedAt(`${base}/${path}`);
    if (timed.length >= count && time !== timed.at(-1)?.time) break;
    timed.push({ path, time });
  }
  return timed;
}

/** In nanoseconds; 0 for what is gone. */
function modifiedAt(path: string): bigint {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
}
