// Whether a command waits for a person: one of its processes sits in a read of its terminal. Linux only, where the
// system shows the call a process is in; nothing is guessed elsewhere.
import { readFileSync, readlinkSync } from "node:fs";
import type { FoundProcess } from "./process-table.ts";

/** The number of the system call read. */
const READ: Readonly<Record<string, number>> = {
  x64: 0,
  arm64: 63,
};

/** True where one of the processes reads from `device` or from /dev/tty. */
export function waitsForInput(processes: readonly FoundProcess[], device: string): boolean {
  return processes.some(({ pid }) => readsFrom(pid, device));
}

function readsFrom(pid: number, device: string): boolean {
  try {
    const [call, descriptor] = readFileSync(`/proc/${pid}/syscall`, "latin1").split(" ");
    if (Number(call) !== READ[process.arch] || descriptor === undefined) return false;
    const target = readlinkSync(`/proc/${pid}/fd/${Number(descriptor)}`);
    return target === device || target === "/dev/tty";
  } catch {
    // Gone, or running: then it does not wait.
    return false;
  }
}
