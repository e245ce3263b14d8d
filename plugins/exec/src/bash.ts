// bash: one command from its start to its end (catalog.md, 'bash').
import { s, ui } from "@pluggableharness/plugin";
import { endInWords } from "./end-in-words.ts";
import { exec } from "./plugin.ts";
import { previewCommand } from "./preview.ts";
import { commandLine } from "./process-table.ts";
import { runCommand } from "./run-command.ts";
import { checkCommand } from "./running-command.ts";
import { MAX_COLUMNS, MAX_ROWS } from "./terminal-screen.ts";
import { MAX_TIMEOUT_MS, timeLimit } from "./time-limit.ts";
import { exitStyle, scrollback } from "./view.ts";

const MAX_LISTED = 20;

export const bash = exec.defineTool({
  name: "bash",
  kind: "resource",
  risk: "high",
  idempotent: false,
  timeoutMs: 120_000,
  concurrency: { safe: false },
  description:
    "Runs a command in a shell and returns its output and exit code. Standard input is empty unless given; nobody can answer a question. For a program that asks, or runs on, use exec_start.",
  input: s.object({
    command: s.string("The command, in the shell's language; several lines are fine."),
    working_directory: s.optional(s.string("Where it starts; the working directory of the call by default.")),
    timeout_ms: s.optional(
      s.integer("When it is ended; 120000 by default.", { min: 1, max: MAX_TIMEOUT_MS }),
    ),
    idle_timeout_ms: s.optional(
      s.integer("Ended when it writes nothing for so long; no such limit by default.", {
        min: 1,
        max: MAX_TIMEOUT_MS,
      }),
    ),
    pty: s.optional(s.boolean("Under a terminal, the default; false tells standard error apart.")),
    columns: s.optional(s.integer("Width of the terminal; 120 by default.", { min: 2, max: MAX_COLUMNS })),
    rows: s.optional(s.integer("Height of the terminal; 30 by default.", { min: 1, max: MAX_ROWS })),
    stdin: s.optional(s.string("Standard input.")),
  }),
  output: s.object({
    operation: s.literal("bash"),
    exit_code: s.number("128 and the signal's number where a signal ended it."),
    signal: s.optional(s.string("Such as SIGSEGV.")),
    reason: s.enum(
      ["exited", "timed_out", "timed_out_idle", "waiting_input", "cancelled", "deadline"],
      "Why it ended.",
    ),
    timed_out: s.boolean("It was ended by a time limit."),
    summary: s.string("How it ended, in words."),
    duration_ms: s.number("From start to end."),
    timeout_ms: s.number("The limit that held, never later than the call's own deadline."),
    output: s.string("What a terminal would show at the end."),
    output_bytes: s.number("Bytes that were written, before anything was applied or cut."),
    truncated: s.boolean("The middle of the output is left out."),
    omitted_bytes: s.optional(s.number("Bytes that are left out.")),
    log_path: s.optional(s.string("The full output as a file; missing where `output` holds all of it.")),
    log_problem: s.optional(s.string("Why the file does not hold all of it.")),
    signals_sent: s.optional(s.array(s.string("A signal."))),
    still_running: s.optional(
      s.array(
        s.object({ pid: s.number("Process id."), command: s.string("Command line.") }),
        "Left in the background.",
      ),
    ),
  }),

  preview: (input, call) => previewCommand(input, call, timeLimit(input.timeout_ms, undefined, 0)),

  async *invoke(input, call) {
    checkCommand(input.command);
    const { columns = 120, rows = 30 } = input;
    const timeoutMs = timeLimit(input.timeout_ms, call.deadline, call.state.settings.killGraceMs);
    const record = yield* runCommand(
      {
        command: input.command,
        workingDirectory: input.working_directory,
        timeoutMs,
        idleTimeoutMs: input.idle_timeout_ms,
        terminal: (input.pty ?? true) ? { columns, rows } : undefined,
        stdin: input.stdin,
      },
      call,
    );
    const { status, text, reason } = record;
    const signals = record.ending === undefined ? undefined : [...record.ending.signals];
    const left = record.stillRunning
      .slice(0, MAX_LISTED)
      .map((found) => ({ pid: found.pid, command: commandLine(found) }));
    return {
      operation: "bash",
      exit_code: status.code,
      ...(status.signal !== undefined && { signal: status.signal }),
      reason,
      timed_out: reason === "timed_out" || reason === "timed_out_idle",
      summary: endInWords(record),
      duration_ms: record.durationMs,
      timeout_ms: timeoutMs,
      output: text.text,
      output_bytes: record.outputBytes,
      truncated: text.truncated,
      ...(text.truncated && { omitted_bytes: text.omittedBytes }),
      ...(text.logPath !== undefined && { log_path: text.logPath }),
      ...(text.logProblem !== undefined && { log_problem: text.logProblem }),
      ...(signals !== undefined && { signals_sent: signals }),
      ...(left.length > 0 && { still_running: left }),
    };
  },

  render(result) {
    return ui.group(scrollback(result.output), ui.text(result.summary, exitStyle(result)));
  },

  renderCall: ({ command }) => ui.codeBlock(command, "bash"),
});
