// The plugin's process as a check wants it: started with any environment, its output kept, its end awaited. Nothing
// is taken for granted: the process may print what it likes, and may never say a word.
import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter } from "@pluggableharness/host";
import { within } from "./bounded-wait.ts";
import { pluginPid, spawnFostered } from "./foster-parent.ts";

/** How a plugin is started. */
export interface StartOptions {
  /** Variables to add or, with undefined, to leave out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** A pipe that stays open and is never the plugin's business; by default stdin is empty. */
  readonly stdin?: "ignore" | "pipe";
  /** Start it below a process that can be killed in the host's place; `kill` and `ended` are then that process's. */
  readonly fostered?: boolean;
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Output kept of a process, in lines; a plugin that prints more is told by what it printed first. */
const MAX_LINES = 2_000;
const COOKIE = {
  PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
};

/** A started plugin. Disposing it ends the process and everything it has started. */
export class Subject implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly stdoutLines: string[] = [];
  readonly stderrLines: string[] = [];
  /** Bytes of stdout after the last line feed. */
  unfinishedLine = "";
  readonly ended: Promise<End>;
  readonly pluginPid: Promise<number>;
  readonly startedAt = performance.now();
  /** Milliseconds from the start to the first line of stdout. */
  firstLineMs: number | undefined;
  end: End | undefined;
  readonly #firstLine: Promise<void>;

  constructor(path: string, options: StartOptions, workingDirectory: string) {
    const env = environment(options.environment ?? {});
    this.#child =
      options.fostered === true
        ? spawnFostered(path, env, workingDirectory)
        : spawn(path, [], { cwd: workingDirectory, env, stdio: [options.stdin ?? "ignore", "pipe", "pipe"] });
    this.pluginPid =
      options.fostered === true ? pluginPid(this.#child) : Promise.resolve(this.#child.pid ?? 0);
    this.pluginPid.catch(() => {});
    this.ended = new Promise((resolve) => {
      const settle = (end: End): void => {
        this.end ??= end;
        resolve(end);
      };
      this.#child.once("exit", (code, signal) => settle({ code, signal }));
      this.#child.once("error", (error) => {
        this.stderrLines.push(`cannot be started: ${error.message}`);
        settle({ code: null, signal: null });
      });
    });
    this.#firstLine = this.#read();
  }

  get stdin(): ChildProcess["stdin"] {
    return this.#child.stdin;
  }

  /** The first line of stdout; undefined where the process ends, or the time is over, before there is one. */
  async handshake(milliseconds: number): Promise<string | undefined> {
    await within(
      Promise.race([this.#firstLine, this.ended.then(() => within(this.#firstLine, 200))]),
      milliseconds,
    );
    return this.stdoutLines[0];
  }

  /** Why there is no handshake, in words. */
  silence(milliseconds: number): string {
    if (this.unfinishedLine !== "")
      return `it printed ${JSON.stringify(this.unfinishedLine.slice(0, 200))} without a line feed, for which the host waits`;
    const last = this.stderrLines.at(-1);
    const how =
      this.end === undefined
        ? `it printed nothing within ${milliseconds} ms`
        : `it ended with ${this.end.signal ?? `exit code ${this.end.code}`} before a handshake`;
    return last === undefined ? how : `${how}; stderr: ${last}`;
  }

  /** Sends a signal; harmless where the process is gone. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** How it ended; undefined where it lives on. */
  async endWithin(milliseconds: number): Promise<End | undefined> {
    return await within(this.ended, milliseconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    await this.ended;
    // A child that the plugin left behind may hold the pipes; this process must not wait for it.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
  }

  #read(): Promise<void> {
    const stderr = new LineSplitter((line) => keep(this.stderrLines, line));
    this.#child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
    this.#child.stderr?.once("end", () => stderr.end());
    this.#child.stdin?.on("error", () => {});
    return new Promise((resolve) => {
      const stdout = new LineSplitter((line) => {
        this.firstLineMs ??= performance.now() - this.startedAt;
        keep(this.stdoutLines, line);
        resolve();
      });
      this.#child.stdout?.on("data", (chunk: Buffer) => {
        stdout.push(chunk);
        this.unfinishedLine = chunk.subarray(chunk.lastIndexOf(0x0a) + 1).toString("utf8");
      });
      // Ended by a line feed or not: a host that reads to the end of the pipe would see it too.
      this.#child.stdout?.once("end", () => {
        if (this.unfinishedLine !== "") keep(this.stdoutLines, this.unfinishedLine);
        resolve();
      });
    });
  }
}

function keep(lines: string[], line: string): void {
  if (lines.length < MAX_LINES) lines.push(line);
}

/** What the kernel hands on, and the host's own variables; a plugin may rely on nothing else. */
function environment(changes: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: process.env["TMPDIR"],
    ...COOKIE,
    PLUGIN_PROTOCOL_VERSIONS: "1",
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
    ...changes,
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}
