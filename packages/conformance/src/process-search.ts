// Processes that belong to a run: found by a variable in their environment, which survives a change of process group
// or session. Linux only: elsewhere the system does not show it.
import { readdirSync, readFileSync } from "node:fs";

/** Whether this system lets processes be found. */
export const canFindProcesses = process.platform === "linux";

/** The processes that were started with the variable set to `value`, or to `value` with a `-` and more behind it. */
export function processesWith(name: string, value: string): number[] {
  const wanted = (entry: string): boolean =>
    entry === `${name}=${value}` || entry.startsWith(`${name}=${value}-`);
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => environmentOf(pid).some(wanted));
}

function environmentOf(pid: number): string[] {
  try {
    // A zombie has no environment left, and is not running any more.
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
