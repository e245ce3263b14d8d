// Real pipes for standard output and error. What Node gives a child are sockets, which cannot be opened again:
// `echo x >/dev/stdout` and `tee /dev/stderr` fail on them. Named pipes are made a few at a time by mkfifo, opened at
// both ends and unlinked at once, so that each is used by one command only.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@pluggableharness/plugin";

/** Both ends of a pipe; whoever takes it closes them. */
export interface PipeEnds {
  readonly readFd: number;
  readonly writeFd: number;
}

const BATCH = 8;

/** Names of pipes that are ready, in a private folder. */
export class FifoPool {
  readonly #folder: string;
  readonly #ready: string[] = [];
  #making: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** One pipe. Throws execution_failed where none can be made. */
  async take(): Promise<PipeEnds> {
    let path = this.#ready.pop();
    while (path === undefined) {
      this.#making ??= this.#make().finally(() => {
        this.#making = undefined;
      });
      await this.#making;
      path = this.#ready.pop();
    }
    try {
      const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { readFd, writeFd: openSync(path, constants.O_WRONLY) };
      } catch (error) {
        closeSync(readFd);
        throw error;
      }
    } finally {
      unlinkSync(path);
    }
  }

  #make(): Promise<void> {
    const paths = Array.from({ length: BATCH }, () => join(this.#folder, `pipe-${randomUUID()}`));
    return new Promise((resolve, reject) => {
      execFile("mkfifo", ["-m", "600", ...paths], { env: { PATH: "/usr/bin:/bin" } }, (error) => {
        if (error !== null) {
          reject(
            new ToolError("execution_failed", `no pipes could be made: ${error.message}`, { cause: error }),
          );
          return;
        }
        this.#ready.push(...paths);
        resolve();
      });
    });
  }
}
