// The plugin's process: started as the kernel starts it, its handshake line read, its output drained for ever and
// its end noticed (semantics.md, 'Launch').
import { type ChildProcess, spawn } from "node:child_process";
import { atExit } from "./at-exit.ts";
import { firstLine } from "./first-line.ts";
import { LineSplitter } from "./line-splitter.ts";
import { type LogRecord, parseStderrLine } from "./stderr-record.ts";

const DEFAULT_START_TIMEOUT_MS = 60_000;
/** After the process has ended: time for the rest of its output, which its children may hold open for ever. */
const DRAIN_MS = 500;

export interface SpawnOptions {
  /** Variables beyond PATH, HOME and TMPDIR. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long the handshake line may take; 60 s by default. */
  readonly startTimeoutMs?: number;
  /** Takes what the plugin writes to stderr. */
  readonly onLog?: (record: LogRecord) => void;
  /** Gives up a launch that is under way; afterwards it has no effect. */
  readonly signal?: AbortSignal;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A plugin that has printed its first line. */
export interface SpawnedPlugin {
  readonly pid: number;
  readonly line: string;
  /** Resolves when the process is gone. */
  readonly ended: Promise<ProcessEnd>;
  /** Resolves soon after that, when nothing more is read from it. */
  readonly drained: Promise<void>;
  /** SIGKILL; harmless when the process is gone. */
  kill(): void;
}

/**
 * Starts the executable at `path`, without arguments; its sockets belong in `socketFolder`. Throws, with the process
 * gone, where it cannot be started or says nothing in time.
 */
export async function spawnPlugin(
  path: string,
  socketFolder: string,
  options: SpawnOptions = {},
): Promise<SpawnedPlugin> {
  const child = spawn(path, [], {
    env: environmentOf(socketFolder, options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  // A host that exits takes its plugins along; its death by SIGKILL they notice themselves.
  const forget = atExit(kill);
  const ended = endOf(child);
  const drained = ended.then(() => drain(child)).finally(forget);
  readStderr(child, options.onLog ?? (() => {}));
  try {
    const timeoutMs = options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS;
    const line = await firstLine(child, { timeoutMs, signal: options.signal });
    return { pid: child.pid ?? 0, line, ended, drained, kill };
  } catch (error) {
    kill();
    await drained;
    throw error;
  }
}

/** Only what the kernel hands on: a plugin must not come to depend on the host's own environment. */
function environmentOf(socketFolder: string, { environment = {} }: SpawnOptions): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const name of ["PATH", "HOME", "TMPDIR"]) {
    if (process.env[name] !== undefined) inherited[name] = process.env[name];
  }
  return {
    ...inherited,
    // go-plugin's own way to say so. A plugin that is killed leaves its socket where the host removes it.
    PLUGIN_UNIX_SOCKET_DIR: socketFolder,
    ...environment,
    PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
    PLUGIN_PROTOCOL_VERSIONS: "1",
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
  };
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: null, signal: null }));
  });
}

/** Reads what is left in the pipes, then closes them: else a child of the plugin keeps them, and this process, open. */
async function drain({ stdout, stderr }: ChildProcess): Promise<void> {
  const pipes = [stdout, stderr].filter((pipe) => pipe !== null && !pipe.closed);
  const closed = pipes.map((pipe) => new Promise((resolve) => pipe?.once("close", resolve)));
  const timer = setTimeout(() => {
    for (const pipe of pipes) pipe?.destroy();
  }, DRAIN_MS);
  await Promise.all(closed);
  clearTimeout(timer);
}

function readStderr(child: ChildProcess, onLog: (record: LogRecord) => void): void {
  const splitter = new LineSplitter((line) => onLog(parseStderrLine(line)));
  child.stderr?.on("data", (chunk: Buffer) => splitter.push(chunk));
  child.stderr?.once("close", () => splitter.end());
}
