// The plugin's process: started as the kernel starts it, its handshake line read, its output drained for ever and
// its end noticed (semantics.md, 'Launch').
import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter } from "./line-splitter.ts";
import { type LogRecord, parseStderrLine } from "./stderr-record.ts";

const DEFAULT_START_TIMEOUT_MS = 60_000;

export interface SpawnOptions {
  /** Variables beyond PATH, HOME and TMPDIR. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long the handshake line may take; 60 s by default. */
  readonly startTimeoutMs?: number;
  /** Takes what the plugin writes to stderr. */
  readonly onLog?: (record: LogRecord) => void;
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
  /** SIGKILL; harmless when the process is gone. */
  kill(): void;
}

/** Starts the executable at `path`, without arguments. Throws where it cannot be started or says nothing in time. */
export async function spawnPlugin(path: string, options: SpawnOptions = {}): Promise<SpawnedPlugin> {
  const child = spawn(path, [], { env: environmentOf(options), stdio: ["ignore", "pipe", "pipe"] });
  const kill = (): void => void child.kill("SIGKILL");
  // A host that exits takes its plugins along; its death by SIGKILL they notice themselves.
  process.once("exit", kill);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: null, signal: null }));
  });
  void ended.then(() => process.off("exit", kill));
  drainStderr(child, options.onLog ?? (() => {}));
  try {
    const line = await firstLine(child, options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS);
    return { pid: child.pid ?? 0, line, ended, kill };
  } catch (error) {
    kill();
    throw error;
  }
}

/** Only what the kernel hands on: a plugin must not come to depend on the host's own environment. */
function environmentOf({ environment = {} }: SpawnOptions): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const name of ["PATH", "HOME", "TMPDIR"]) {
    if (process.env[name] !== undefined) inherited[name] = process.env[name];
  }
  return {
    ...inherited,
    ...environment,
    PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
    PLUGIN_PROTOCOL_VERSIONS: "1",
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
  };
}

function drainStderr(child: ChildProcess, onLog: (record: LogRecord) => void): void {
  const splitter = new LineSplitter((line) => onLog(parseStderrLine(line)));
  child.stderr?.on("data", (chunk: Buffer) => splitter.push(chunk));
  child.stderr?.once("end", () => splitter.end());
}

/** The first line of stdout; everything after it is read and dropped. */
function firstLine(child: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const splitter = new LineSplitter((line) => settle(() => resolve(line)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`it printed no handshake line within ${timeoutMs} ms`))),
      timeoutMs,
    );
    let take = (chunk: Buffer): void => splitter.push(chunk);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      take = () => {};
      act();
    };
    child.stdout?.on("data", (chunk: Buffer) => take(chunk));
    child.once("error", (error) =>
      settle(() => reject(new Error(`it cannot be started: ${error.message}`, { cause: error }))),
    );
    child.once("exit", (code, signal) =>
      settle(() => reject(new Error(`it ended with ${signal ?? code} before its handshake line`))),
    );
  });
}
