// Runs one command to its end: its output goes out as it comes and is held back by a slow reader, then its exit
// status, then what is to be told of it. Whatever ends the command early, its processes are ended first.
import { type Call, exitStatus, OutputQueue, type StreamEvent, ToolError } from "@pluggableharness/plugin";
import type { ExitStatus, TerminalSize } from "./child.ts";
import { endInWords } from "./end-in-words.ts";
import type { EndReport } from "./end-processes.ts";
import { InputGuard } from "./input-guard.ts";
import { type CapturedText, OutputCapture } from "./output-capture.ts";
import { openPlace } from "./place.ts";
import type { FoundProcess } from "./process-table.ts";
import { type RunningCommand, startCommand } from "./running-command.ts";
import type { ExecState } from "./state.ts";

/** Why a command ended. */
export type EndReason =
  | "exited"
  | "timed_out"
  | "timed_out_idle"
  | "waiting_input"
  | "cancelled"
  | "deadline";

export interface RunRequest {
  readonly command: string;
  readonly workingDirectory: string | undefined;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  readonly terminal: TerminalSize | undefined;
  readonly stdin: string | undefined;
}

/** What there is to tell. */
export interface RunRecord {
  readonly reason: EndReason;
  readonly status: ExitStatus;
  readonly durationMs: number;
  readonly outputBytes: number;
  readonly text: CapturedText;
  readonly ending: EndReport | undefined;
  readonly stillRunning: readonly FoundProcess[];
  readonly outputGivenUp: boolean;
  /** It asked for input and was told that there is none. */
  readonly askedForInput: boolean;
}

/** How long output is read on after the processes have been killed. */
const LAST_OUTPUT_MS = 500;
const NO_TERMINAL: TerminalSize = { columns: 120, rows: 30 };

export async function* runCommand(
  request: RunRequest,
  call: Call<ExecState>,
): AsyncGenerator<StreamEvent, RunRecord> {
  const { state } = call;
  const started = performance.now();
  using place = openPlace(request.workingDirectory, call);
  using input = request.stdin === undefined ? undefined : state.folder.hold(request.stdin);
  const capture = new OutputCapture(state.logs.start());
  const queue = new OutputQueue(() => running?.child.resume());
  let outputBytes = 0;
  let running: RunningCommand | undefined;
  let status: ExitStatus | undefined;
  let hasEnded = false;
  let guard: InputGuard | undefined;
  let tellExited = (): void => {};
  const exited = new Promise<void>((resolve) => {
    tellExited = resolve;
  });
  try {
    running = await startCommand(
      state,
      {
        command: request.command,
        place,
        inputPath: input?.path,
        attended: false,
        terminal: request.terminal,
      },
      {
        data: (stream, bytes) => {
          outputBytes += bytes.length;
          guard?.output();
          idle?.refresh();
          capture.add(stream, bytes);
          if (!queue.push(stream, bytes)) running?.pause();
        },
        ended: () => {
          hasEnded = true;
          queue.end();
        },
        exited: (how) => {
          status = how;
          tellExited();
        },
      },
    );
    const command = running;
    const early: { reason?: EndReason } = {};
    let ending: Promise<EndReport> | undefined;
    const stop = (why: EndReason): void => {
      if (status !== undefined || ending !== undefined) return;
      early.reason = why;
      ending = command.end(["SIGTERM"]).then(async (report) => {
        // The terminal of a process that survives even this stays open.
        setTimeout(() => command.child.close(), LAST_OUTPUT_MS).unref();
        if (report.survivors.length > 0) tellExited();
        return report;
      });
    };
    const onAbort = (): void => stop(isTimeout(call.signal) ? "deadline" : "cancelled");
    const timer = setTimeout(() => stop("timed_out"), request.timeoutMs);
    const idle =
      request.idleTimeoutMs === undefined
        ? undefined
        : setTimeout(() => stop("timed_out_idle"), request.idleTimeoutMs);
    guard = new InputGuard(command, () => stop("waiting_input"));
    call.signal.addEventListener("abort", onAbort);
    if (call.signal.aborted) onAbort();
    try {
      yield* queue.events(new AbortController().signal);
      await exited;
    } finally {
      clearTimeout(timer);
      clearTimeout(idle);
      guard[Symbol.dispose]();
      call.signal.removeEventListener("abort", onAbort);
    }
    const report = await ending;
    const how = status ?? { code: 137, signal: "SIGKILL" };
    const text = await capture.finish(
      request.terminal ?? NO_TERMINAL,
      request.terminal === undefined,
      state.settings.maxOutputBytes,
    );
    const reason = early.reason ?? "exited";
    const record: RunRecord = {
      reason,
      status: how,
      durationMs: Math.round(performance.now() - started),
      outputBytes,
      text,
      ending: report,
      stillRunning: report?.survivors ?? command.processes(),
      outputGivenUp: command.outputGivenUp,
      askedForInput: guard.hasAnswered,
    };
    if (reason === "cancelled" || reason === "deadline") {
      // Mostly nobody listens any more: then the log is the only place for what was done.
      call.log.info("a command was given up and ended", { report: endInWords(record) });
      throw new ToolError(reason === "cancelled" ? "cancelled" : "timeout", endInWords(record));
    }
    yield exitStatus(how.code, how.signal);
    return record;
  } finally {
    capture.abandon();
    // Reached early when nobody pulls any more.
    if (running !== undefined && !(hasEnded && status !== undefined)) {
      const report = await running.end(["SIGTERM"]);
      running.child.close();
      call.log.info("a command was ended with its call", { signals: report.signals, ended: report.ended });
    }
  }
}

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof ToolError && signal.reason.category === "timeout";
}
