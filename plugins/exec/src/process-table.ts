// The processes of a command, found in /proc by the marker in their environment, by their group and session, and by
// their parents: also those that left the group or the session. What has done all three and dropped its environment
// cannot be seen without a sandbox. Elsewhere than on Linux only the group is known.
import { readdirSync, readFileSync } from "node:fs";

/** One process. */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the start of the system: with the pid it names one process for ever. */
  readonly started: string;
  readonly name: string;
}

/** Whose processes. */
export interface Search {
  /** A piece of text in the environment of each. */
  readonly marker: string;
  /** The process that was started; undefined where its number may belong to somebody else by now. */
  readonly leader?: number | undefined;
  /** Only processes made after the leader: cheap, and right unless the numbers have wrapped around. */
  readonly recent?: boolean;
}

/** The running processes of a command; zombies are none. */
export function findProcesses(search: Search): FoundProcess[] {
  if (process.platform !== "linux") return groupOf(search.leader);
  const found = new Map<number, FoundProcess>();
  const others = new Map<number, FoundProcess>();
  for (const pid of candidates(search)) {
    if (pid === process.pid) continue;
    const entry = readProcess(pid);
    if (entry === undefined) continue;
    (belongs(entry, search) ? found : others).set(pid, entry);
  }
  // Children of what was found, and theirs, however often they have changed their group.
  for (let grown = found.size > 0; grown; ) {
    grown = false;
    for (const [pid, entry] of others) {
      if (!found.has(entry.parent)) continue;
      found.set(pid, entry);
      others.delete(pid);
      grown = true;
    }
  }
  return [...found.values()];
}

function* candidates({ leader, recent }: Search): Generator<number> {
  const first = recent === true && leader !== undefined && newestPid() >= leader ? leader : 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (pid >= first && Number.isInteger(pid) && pid > 0) yield pid;
  }
}

function newestPid(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Undefined for what is gone or a zombie. */
export function readProcess(pid: number): FoundProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const fields = stat.slice(nameEnd + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      started: fields[19] ?? "",
      name: stat.slice(stat.indexOf("(") + 1, nameEnd),
    };
  } catch {
    return undefined;
  }
}

function belongs({ pid, group, session }: FoundProcess, { marker, leader }: Search): boolean {
  if (leader !== undefined && (pid === leader || group === leader || session === leader)) return true;
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(marker);
  } catch {
    return false;
  }
}

function groupOf(leader: number | undefined): FoundProcess[] {
  if (leader === undefined) return [];
  try {
    process.kill(-leader, 0);
    return [{ pid: -leader, parent: 0, group: leader, session: leader, started: "", name: "process group" }];
  } catch {
    return [];
  }
}

/** The command line of a process, for a person; its name where there is none. */
export function commandLine({ pid, name }: FoundProcess): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      .split("\0")
      .filter((word) => word !== "");
    return (words.length > 0 ? words.join(" ") : name).slice(0, 200);
  } catch {
    return name;
  }
}
