// ripgrep follows paths by their text: a directory that somebody swaps for a link while it runs would lead it out of
// the jail. Such a swap changes a name in a directory, and that stamps the directory's status time, which no program
// can set back. So what ripgrep found below directories that are all older than its start was found inside; the rest
// is looked at again through the jail before it is handed out, or left out.
import { lstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { JailDirectory } from "@pluggableharness/jail";

/** File systems stamp with the clock of the last timer tick; 100 ticks a second is the slowest in use. */
const TICK_MS = 10;

/** Tells which directories have not changed since ripgrep was started. */
export interface SteadyDirectories {
  /** `directory` is relative to the searched one, "" for itself. Asks anew each time for what is not `memo`ised. */
  isSteady(directory: string, memo?: Map<string, boolean>): boolean;
}

/** Call it just before ripgrep is started. Waits a tick where the directory itself has only just changed. */
export async function watchSteadiness(base: JailDirectory, signal: AbortSignal): Promise<SteadyDirectories> {
  const path = base.pathForChild;
  if (changedAt(`${path}/.`) > Date.now() - TICK_MS)
    await sleep(TICK_MS + 1, undefined, { signal }).catch(() => {});
  const before = Date.now() - TICK_MS;

  const isSteady = (directory: string, memo: Map<string, boolean> = new Map()): boolean => {
    const known = memo.get(directory);
    if (known !== undefined) return known;
    const steady =
      (directory === "" || isSteady(parentOf(directory), memo)) &&
      changedAt(`${path}/${directory || "."}`) < before;
    memo.set(directory, steady);
    return steady;
  };
  return { isSteady };
}

/** The directory of a relative path, "" for the searched one. */
export function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** Infinity for what is no directory (any more). */
function changedAt(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? stats.ctimeMs : Number.POSITIVE_INFINITY;
}
