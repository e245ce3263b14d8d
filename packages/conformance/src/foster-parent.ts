// A parent for the plugin that can be killed without this process dying: a process between, which starts the plugin,
// tells its pid and waits. To the plugin its death is the host's.
import { type ChildProcess, spawn } from "node:child_process";

const PROGRAM = `
const plugin = require("node:child_process").spawn(process.argv[1], [], { stdio: ["ignore", 1, 2] });
process.send(plugin.pid);
setInterval(() => {}, 60_000);
`;

/** Starts `path` below a process of its own, which stands in for the host. Its pipes are the plugin's. */
export function spawnFostered(path: string, environment: NodeJS.ProcessEnv, cwd: string): ChildProcess {
  return spawn(process.execPath, ["-e", PROGRAM, path], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

/** The pid of the plugin, as its parent tells it. */
export function pluginPid(parent: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    parent.once("message", (pid) => resolve(Number(pid)));
    parent.once("exit", () => reject(new Error("the plugin's parent ended before it told the pid")));
  });
}
