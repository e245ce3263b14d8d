// Ends the processes of a command: politely, after a grace hard, again and again while new ones appear, and says what
// was done and what survived.
import { setTimeout as delay } from "node:timers/promises";
import { type FoundProcess, findProcesses, type Search } from "./process-table.ts";

/** What was done. */
export interface EndReport {
  readonly signals: readonly NodeJS.Signals[];
  /** Processes that were told to end. */
  readonly ended: number;
  readonly survivors: readonly FoundProcess[];
}

/** How long what got SIGKILL may take; a process in an uninterruptible wait takes longer. */
const HARD_MS = 1_000;
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 100;

export interface EndOptions {
  readonly graceMs: number;
  /** The first, polite ones: an interactive shell ignores SIGTERM and obeys SIGHUP. */
  readonly politely: readonly NodeJS.Signals[];
}

/** Ends all that `search` finds. Never throws. */
export async function endProcesses(search: () => Search, options: EndOptions): Promise<EndReport> {
  const signals: NodeJS.Signals[] = [];
  const seen = new Set<string>();
  let left = findProcesses(search());
  const tell = (signal: NodeJS.Signals): void => {
    if (!signals.includes(signal) && left.length > 0 && signal !== "SIGCONT") signals.push(signal);
    for (const { pid, started } of left) {
      seen.add(`${pid} ${started}`);
      try {
        process.kill(pid, signal);
      } catch {
        // Gone in between, or not ours to end: the next look tells which.
      }
    }
  };
  for (const signal of options.politely) tell(signal);
  // A stopped process gets nothing else before it goes on.
  tell("SIGCONT");
  let wait = FIRST_WAIT_MS;
  for (const until = performance.now() + options.graceMs; left.length > 0 && performance.now() < until; ) {
    await delay(Math.min(wait, Math.max(1, until - performance.now())));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    left = findProcesses(search());
  }
  for (const until = performance.now() + HARD_MS; left.length > 0 && performance.now() < until; ) {
    tell("SIGKILL");
    await delay(FIRST_WAIT_MS);
    left = findProcesses(search());
  }
  return { signals, ended: seen.size - left.length, survivors: left };
}

/** Ends all at once, without waiting: for the last moment of the process. */
export function killProcesses(search: Search): void {
  for (const { pid } of findProcesses(search)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone in between.
    }
  }
}
