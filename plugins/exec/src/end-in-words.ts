// How a command ended, in words a model can act on.
import type { RunRecord } from "./run-command.ts";

const SIGNAL_WORDS: Readonly<Record<string, string>> = {
  SIGSEGV: "it crashed by touching memory that is not its own",
  SIGABRT: "it aborted itself",
  SIGKILL: "something outside ended it by force, perhaps for lack of memory",
  SIGPIPE: "it wrote to a pipe nobody reads",
  SIGINT: "it was interrupted",
  SIGTERM: "it was told to end",
};

/** One or two sentences. */
export function endInWords(record: RunRecord): string {
  return [firstWords(record), endingWords(record), inputWords(record), leftWords(record)]
    .filter((words) => words !== "")
    .join(" ");
}

function firstWords({ reason, status, durationMs }: RunRecord): string {
  switch (reason) {
    case "timed_out":
      return `Ended after ${durationMs} ms, at its time limit.`;
    case "timed_out_idle":
      return `Ended after ${durationMs} ms: nothing was written for the idle limit.`;
    case "waiting_input":
      return `Ended after ${durationMs} ms: it waited for input and nobody can give it; use exec_start for a program that asks.`;
    case "deadline":
      return `Ended after ${durationMs} ms, at the deadline of the call.`;
    case "cancelled":
      return `Cancelled after ${durationMs} ms.`;
    case "exited":
      return exitWords(status.code, status.signal);
  }
}

/** What an exit code or a signal says; what `exited` by itself. */
export function exitWords(code: number, signal: string | undefined): string {
  if (signal !== undefined) {
    const words = SIGNAL_WORDS[signal];
    return `Killed by ${signal}${words === undefined ? "" : `: ${words}`}.`;
  }
  if (code === 126) return "Exit code 126: the command was found but cannot be executed.";
  if (code === 127) return "Exit code 127: the command was not found.";
  if (code === 141) return "Exit code 141: a process of it wrote to a pipe nobody reads (SIGPIPE).";
  return `Exit code ${code}.`;
}

function endingWords({ ending }: RunRecord): string {
  if (ending === undefined) return "";
  const { signals, ended, survivors } = ending;
  const survived =
    survivors.length === 0
      ? "none is left"
      : `${survivors.length} could not be ended (${survivors.map(({ pid }) => pid).join(", ")})`;
  return `${ended} processes got ${signals.join(", then ") || "no signal"}; ${survived}.`;
}

function inputWords({ askedForInput, reason }: RunRecord): string {
  if (!askedForInput || reason === "waiting_input") return "";
  return "It asked for input on its terminal and was told that there is none.";
}

function leftWords({ stillRunning, reason }: RunRecord): string {
  if (stillRunning.length === 0 || reason !== "exited") return "";
  const many = stillRunning.length === 1 ? "1 process" : `${stillRunning.length} processes`;
  return `The shell has exited; ${many} of it still run in the background, until the plugin ends.`;
}
