// Processes that belong to a run: found by a variable in their environment, which survives a change of process group
// or session. Linux only: elsewhere the system does not show it.
import { readdirSync, readFileSync } from "node:fs";

/** Whether this system lets processes be found. */
export const canFindProcesses = process.platform === "linux";

/** The processes with `name=value` in the environment they were started with. */
export function processesWith(name: string, value: string): number[] {
  const wanted = `${name}=${value}`;
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(wanted));
}

function environmentOf(pid: number): string[] {
  try {
    // A zombie has no environment left, and is not running any more.
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
