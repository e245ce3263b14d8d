// Processes that belong to a run: found by a variable in their environment, which survives a change of process group
// or session. Linux only: elsewhere the system does not show it.
import { readdirSync, readFileSync } from "node:fs";

/** Whether this system lets processes be found. */
export const canFindProcesses = process.platform === "linux";

/** The processes that were started with the variable set to a value that `matches`. */
export function processesWith(name: string, matches: (value: string) => boolean): number[] {
  const isWanted = (entry: string): boolean =>
    entry.startsWith(`${name}=`) && matches(entry.slice(name.length + 1));
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => environmentOf(pid).some(isWanted));
}

function environmentOf(pid: number): string[] {
  try {
    // A zombie has no environment left, and is not running any more.
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
