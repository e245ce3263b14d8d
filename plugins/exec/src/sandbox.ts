// The bubblewrap sandbox: everything readable, only named folders and a private /tmp writable, the network off unless
// asked for, no new privileges, processes of its own that die with their parent. Whether it works is tried at
// Configure with exactly the options that commands get.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { ToolError } from "@pluggableharness/plugin";

/** A sandbox that has been seen to work. */
export interface Sandbox {
  readonly network: boolean;
  /** Real paths. */
  readonly writable: readonly string[];
  /** What to start instead of a command that is started in `directory`. */
  wrap(command: readonly string[], directory: string): readonly [string, ...string[]];
}

export interface SandboxOptions {
  readonly network: boolean;
  readonly writable: readonly string[];
  /** Visible and not writable, even where /tmp hides what lies around. */
  readonly readable: readonly string[];
}

const TRY_MS = 5_000;

/** Throws execution_failed with bubblewrap's own words where it cannot work. */
export async function openBubblewrap(options: SandboxOptions, signal: AbortSignal): Promise<Sandbox> {
  if (process.platform !== "linux") throw refused("bubblewrap works on Linux only");
  const program = onPath("bwrap");
  if (program === undefined) throw refused("bwrap is not on the plugin's PATH; install bubblewrap");
  const sandbox: Sandbox = {
    network: options.network,
    writable: options.writable,
    wrap: (command, directory) => [program, ...bubblewrapOptions(options, directory), "--", ...command],
  };
  const [file, ...args] = sandbox.wrap(["true"], "/");
  await new Promise<void>((resolve, reject) => {
    execFile(
      file,
      args,
      { env: { PATH: "/usr/bin:/bin" }, timeout: TRY_MS, signal },
      (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(refused((stderr.trim() || error.message).slice(0, 500)));
      },
    );
  });
  return sandbox;
}

function bubblewrapOptions({ network, writable, readable }: SandboxOptions, directory: string): string[] {
  return [
    "--unshare-all",
    ...(network ? ["--share-net"] : []),
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ...writable.flatMap((path) => ["--bind", path, path]),
    "--chdir",
    directory,
  ];
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!folder.startsWith("/")) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}

function refused(why: string): ToolError {
  return new ToolError(
    "execution_failed",
    `sandbox_unavailable: the sandbox "bubblewrap" was asked for and cannot be had: ${why}. No command runs without it; set sandbox.mode to "none" to do without.`,
    { details: { reason: "sandbox_unavailable" } },
  );
}
