// The last safeguard: a small shell that waits for the end of the plugin, however it comes, and then ends every
// process whose environment has the plugin's marker, and removes the plugin's folder. Needed for the ends that run no
// code of ours: SIGKILL, and a crash of the process itself. Linux only, like the marker.
import { type ChildProcess, spawn } from "node:child_process";

const SCRIPT = `trap '' TERM HUP INT
read -r _
for round in 1 2 3 4 5; do
  found=
  for pid in /proc/[0-9]*; do
    if grep -qs -- "$1" "$pid/environ"; then found=1; kill -9 "\${pid#/proc/}" 2>/dev/null; fi
  done
  [ -z "$found" ] && break
done
rm -rf -- "$2"`;

/** Waits for the plugin's end. Disposing ends it without its having to do anything. */
export class Watchdog implements Disposable {
  readonly #marker: string;
  readonly #folder: string;
  #shell: ChildProcess | undefined;

  constructor(marker: string, folder: string) {
    this.#marker = marker;
    this.#folder = folder;
  }

  /** Starts it, once; before any command. */
  watch(): void {
    if (this.#shell !== undefined || process.platform !== "linux") return;
    // A pipe that only the plugin holds: its end is the plugin's end.
    this.#shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", this.#marker, this.#folder], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#shell.on("error", () => {});
    this.#shell.stdin?.on("error", () => {});
    this.#shell.unref();
    // The pipe alone must not keep the process either.
    if (this.#shell.stdin !== null && "unref" in this.#shell.stdin) {
      const { stdin } = this.#shell;
      if (typeof stdin.unref === "function") stdin.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#shell?.kill("SIGKILL");
  }
}
