// What is started for a command: the shell that gets it exactly as it was given, behind what closes its input, sets
// its limits and holds it in the sandbox.
import type { HeldFile, RunFolder } from "./run-folder.ts";
import type { Sandbox } from "./sandbox.ts";

/** The kernel takes 131,071 bytes as one argument. */
const MAX_ARGUMENT_BYTES = 100_000;

/** An input that is left as it is. */
export const INHERITED = "inherited";

/** Of each process, in the kernel's terms; undefined for none. */
export interface ProcessLimits {
  readonly memoryBytes: number | undefined;
  readonly processes: number | undefined;
}

export interface CommandLineOptions {
  readonly shell: string;
  readonly sandbox: Sandbox | undefined;
  readonly limits: ProcessLimits;
  readonly folder: RunFolder;
}

export interface CommandText {
  readonly command: string;
  /** Real path. */
  readonly directory: string;
  /** A file to read as standard input; "inherited" leaves it as it is. */
  readonly input: string;
}

/** Disposed when the command has ended. */
export interface CommandLine extends Disposable {
  readonly file: string;
  readonly args: readonly string[];
}

/** Prepares a command; a long one goes through a file of the folder. */
export function commandLine(text: CommandText, options: CommandLineOptions): CommandLine {
  const { command, directory, input } = text;
  const held: HeldFile[] = [];
  const shell = [options.shell, ...startUpOptions(options.shell), "-c"];
  if (Buffer.byteLength(command) <= MAX_ARGUMENT_BYTES) {
    shell.push(command, options.shell);
  } else {
    const script = options.folder.hold(command);
    held.push(script);
    // Sourced, not run: `$0`, functions, traps and the exit status are as with -c.
    shell.push('__script=$1; set --; . "$__script"', options.shell, script.path);
  }
  const wrapped = options.sandbox?.wrap(shell, directory) ?? shell;
  // A shell that leads a terminal takes its background children with it by SIGHUP; on pipes it does not. Both are to
  // be the same.
  const [before, prepared] = input === INHERITED ? ["", ""] : ["trap '' HUP; ", '<"$0"'];
  const ulimits = limitCommands(options.limits);
  const [file = "", ...args] =
    prepared === "" && ulimits === ""
      ? wrapped
      : [
          "/bin/sh",
          "-c",
          `${ulimits}${before}exec "$@" ${prepared}`,
          input === INHERITED ? "sh" : input,
          ...wrapped,
        ];
  return {
    file,
    args,
    [Symbol.dispose]: () => {
      for (const file of held) file[Symbol.dispose]();
    },
  };
}

/** No start-up file may change what a command does. */
function startUpOptions(shell: string): string[] {
  return /(^|\/)bash$/.test(shell) ? ["--noprofile", "--norc"] : [];
}

function limitCommands({ memoryBytes, processes }: ProcessLimits): string {
  const memory = memoryBytes === undefined ? "" : `ulimit -v ${Math.ceil(memoryBytes / 1024)} || exit 126; `;
  // dash calls it -p, bash -u.
  const count =
    processes === undefined
      ? ""
      : `ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} || exit 126; `;
  return memory + count;
}
