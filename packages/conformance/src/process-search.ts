// Processes that belong to a run, found in two ways: by a variable in their environment, which survives a change of
// process group or session; and below the plugin's process while it runs, which needs no environment. Linux only:
// elsewhere the system shows neither.
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

/** A process that was seen; its start tells it from another that gets its number. */
export interface SeenProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** The processes below another, at any depth. */
export function processesBelow(ancestor: number): SeenProcess[] {
  const all = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => statusOf(Number(entry)) ?? []);
  const below: SeenProcess[] = [];
  const parents = [ancestor];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const { pid, startedAt } of all.filter((one) => one.parent === parent)) {
      below.push({ pid, startedAt });
      parents.push(pid);
    }
  }
  return below;
}

/** Whether it still runs; what has ended and was not waited for does not. */
export function stillRuns({ pid, startedAt }: SeenProcess): boolean {
  const now = statusOf(pid);
  return now !== undefined && now.startedAt === startedAt && now.state !== "Z";
}

function statusOf(
  pid: number,
): (SeenProcess & { readonly parent: number; readonly state: string }) | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in brackets and may hold anything; the fields behind it are numbered from 3 in proc(5).
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { pid, state: fields[0] ?? "", parent: Number(fields[1]), startedAt: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
