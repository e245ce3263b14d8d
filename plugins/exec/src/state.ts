// What `open` makes of the configuration: a jail to start commands in, their environment, sandbox, folder and logs,
// and the sessions. Closing it ends every process that was ever started and is still there.
import { randomUUID } from "node:crypto";
import { accessSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Jail, openJail } from "@pluggableharness/jail";
import { ToolError } from "@pluggableharness/plugin";
import { type CommandEnvironment, commandEnvironment, markerOf } from "./command-environment.ts";
import type { ProcessLimits } from "./command-line.ts";
import { endProcesses, killProcesses } from "./end-processes.ts";
import { FifoPool } from "./fifo-pool.ts";
import { failuresAsToolErrors } from "./jail-failure.ts";
import { type LogLimits, OutputLogs } from "./output-log.ts";
import { RunFolder } from "./run-folder.ts";
import { openBubblewrap, type Sandbox } from "./sandbox.ts";
import { Sessions } from "./sessions.ts";
import { Watchdog } from "./watchdog.ts";

/** The configuration, with its defaults. */
export interface ExecSettings {
  readonly roots: readonly string[];
  readonly shell: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly maxOutputBytes: number;
  readonly logFolder: string | undefined;
  readonly logLimits: LogLimits;
  readonly killGraceMs: number;
  readonly maxSessions: number;
  readonly limits: ProcessLimits;
  readonly sandbox:
    | {
        readonly mode?: "none" | "bubblewrap";
        readonly network?: boolean;
        readonly writable?: readonly string[];
      }
    | undefined;
}

/** Shared by all operations, closed with the plugin. */
export interface ExecState extends AsyncDisposable {
  readonly settings: ExecSettings;
  /** In the environment of every process; each command's id begins with it. */
  readonly id: string;
  readonly jail: Jail;
  readonly shell: string;
  readonly environment: CommandEnvironment;
  readonly sandbox: Sandbox | undefined;
  readonly folder: RunFolder;
  readonly pipes: FifoPool;
  readonly logs: OutputLogs;
  readonly sessions: Sessions;
}

/** At the end of the plugin there are 1.5 s for everything. */
const CLOSE_GRACE_MS = 300;

export async function openState(settings: ExecSettings, signal: AbortSignal): Promise<ExecState> {
  if (process.platform === "win32") {
    throw new ToolError("execution_failed", "exec needs a POSIX system: it does not run on Windows");
  }
  for (const [name, value] of Object.entries(settings.env)) checkVariable(name, value);
  const shell = findShell(settings.shell);
  const jail = failuresAsToolErrors(() => openJail({ roots: settings.roots, protect: [] }));
  const folder = new RunFolder();
  try {
    const id = randomUUID();
    const watchdog = new Watchdog(markerOf(id), folder.path);
    const sessions = new Sessions(settings.maxSessions);
    const sandbox = await openSandbox(settings, jail, folder, signal);
    const logs = new OutputLogs(logFolder(settings.logFolder, folder), settings.logLimits);
    watchdog.watch();
    return {
      settings,
      id,
      jail,
      shell,
      environment: commandEnvironment(process.env, settings.passEnv, settings.env),
      sandbox,
      folder,
      pipes: new FifoPool(folder.path),
      logs,
      sessions,
      [Symbol.asyncDispose]: async () => {
        const all = { marker: markerOf(id) };
        await endProcesses(() => all, { graceMs: CLOSE_GRACE_MS, politely: ["SIGHUP", "SIGTERM"] });
        killProcesses(all);
        sessions.close();
        watchdog[Symbol.dispose]();
        folder[Symbol.dispose]();
        jail[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    jail[Symbol.dispose]();
    throw error;
  }
}

function checkVariable(name: string, value: string): void {
  if (/^[^=\0]+$/.test(name) && !value.includes("\0")) return;
  throw new ToolError(
    "invalid_arguments",
    `env: ${JSON.stringify(name)} is no variable: a name without "=" is accepted, and a value without NUL`,
  );
}

function findShell(configured: string | undefined): string {
  if (configured === undefined) return isExecutable("/bin/bash") ? "/bin/bash" : "/bin/sh";
  if (isAbsolute(configured) && isExecutable(configured)) return configured;
  throw new ToolError(
    "invalid_arguments",
    `shell: ${JSON.stringify(configured)} is not there or cannot be run; the absolute path of a shell is accepted`,
  );
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function logFolder(configured: string | undefined, folder: RunFolder): string {
  if (configured === undefined) {
    const path = join(folder.path, "logs");
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
  return existingDirectory("log_dir", configured);
}

async function openSandbox(
  { sandbox, roots }: ExecSettings,
  jail: Jail,
  folder: RunFolder,
  signal: AbortSignal,
): Promise<Sandbox | undefined> {
  if (sandbox === undefined || sandbox.mode === "none") return undefined;
  if (sandbox.mode === undefined) {
    // A host sends an empty object for none.
    if (sandbox.network !== true && (sandbox.writable ?? []).length === 0) return undefined;
    throw new ToolError("invalid_arguments", 'sandbox.mode: missing; "bubblewrap" or "none" is accepted');
  }
  // An empty list is what a host sends for none.
  const named = sandbox.writable ?? [];
  const writable = (named.length === 0 ? roots : named).map((path) =>
    existingDirectory("sandbox.writable", path),
  );
  const readable = [...jail.roots.map(({ realPath }) => realPath), folder.files];
  return await openBubblewrap({ network: sandbox.network ?? false, writable, readable }, signal);
}

function existingDirectory(field: string, path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Said below.
  }
  throw new ToolError("invalid_arguments", `${field}: ${JSON.stringify(path)} is not an existing directory`);
}
