// A command that runs: started under a terminal or on pipes, its output on its way, ended when asked to. Common to
// bash and to sessions.
import { randomUUID } from "node:crypto";
import { ToolError } from "@pluggableharness/plugin";
import type { Child, ChildEvents, Launch, TerminalChild, TerminalSize } from "./child.ts";
import { markerOf } from "./command-environment.ts";
import { commandLine, INHERITED } from "./command-line.ts";
import { DrainedEvents } from "./drained-events.ts";
import { type EndReport, endProcesses } from "./end-processes.ts";
import { startOnPipes } from "./pipe-child.ts";
import type { Place } from "./place.ts";
import { type FoundProcess, findProcesses } from "./process-table.ts";
import { type ExecState, isExecutable } from "./state.ts";
import { startInTerminal } from "./terminal-child.ts";

export interface StartOptions {
  readonly command: string;
  readonly place: Place;
  /** Empty where undefined; the terminal itself where a session is `attended`. */
  readonly inputPath: string | undefined;
  readonly attended: boolean;
  /** Pipes where undefined. */
  readonly terminal: TerminalSize | undefined;
}

/** One command and all its processes. */
export interface RunningCommand {
  readonly child: Child;
  /** Undefined on pipes. */
  readonly terminal: TerminalChild | undefined;
  /** Holds the output back where that cannot lose any. */
  pause(): void;
  /** Its processes, the children of its children too. */
  processes(): FoundProcess[];
  /** Ends all of them, then gives the output up. Safe to call again. */
  end(politely: readonly NodeJS.Signals[]): Promise<EndReport>;
  /** A background process kept the output open when the command ended. */
  readonly outputGivenUp: boolean;
}

/** Throws invalid_arguments for a command that cannot be one. */
export function checkCommand(command: string): void {
  if (command.includes("\0")) {
    throw new ToolError(
      "invalid_arguments",
      "command: a NUL character cannot be part of a command; write \\0 in printf",
    );
  }
  if (!command.isWellFormed()) {
    throw new ToolError(
      "invalid_arguments",
      "command: it is not valid Unicode text (half of a surrogate pair)",
    );
  }
}

/** Starts a command. */
export async function startCommand(
  state: ExecState,
  options: StartOptions,
  events: ChildEvents,
): Promise<RunningCommand> {
  if (!isExecutable(state.shell)) {
    throw new ToolError(
      "execution_failed",
      `the shell itself, ${state.shell}, is missing or cannot be run; nothing was started`,
    );
  }
  const id = `${state.id}.${randomUUID()}`;
  const onTerminal = options.terminal !== undefined;
  const text = {
    command: options.command,
    directory: options.place.realPath,
    input: !onTerminal || options.attended ? INHERITED : (options.inputPath ?? "/dev/null"),
  };
  const line = commandLine(text, { ...state, limits: state.settings.limits });
  let hasExited = false;
  let ending: Promise<EndReport> | undefined;
  const drained = new DrainedEvents({
    data: (stream, bytes) => events.data(stream, bytes),
    ended: () => events.ended(),
    exited: (status) => {
      hasExited = true;
      line[Symbol.dispose]();
      events.exited(status);
    },
  });
  const launch: Launch = {
    file: line.file,
    args: line.args,
    env: state.environment.for({ id, terminal: onTerminal, attended: options.attended }),
    directory: options.place.pathForChild,
    ...(options.inputPath !== undefined && { stdinPath: options.inputPath }),
  };
  let child: Child;
  let terminal: TerminalChild | undefined;
  try {
    if (options.terminal === undefined) child = await startOnPipes(launch, state.pipes, drained);
    else child = terminal = startInTerminal(launch, options.terminal, drained);
  } catch (error) {
    line[Symbol.dispose]();
    throw error;
  }
  drained.attach(child);
  const search = () => ({ marker: markerOf(id), leader: hasExited ? undefined : child.pid });
  return {
    child,
    terminal,
    pause: () => drained.pauseUnlessEnding(),
    processes: () =>
      findProcesses(hasExited ? { marker: markerOf(id), leader: child.pid, recent: true } : search()),
    end: (politely) => {
      ending ??= endProcesses(search, { graceMs: state.settings.killGraceMs, politely });
      return ending;
    },
    get outputGivenUp() {
      return drained.gaveUp;
    },
  };
}
