// The full output of calls as files: private, bounded each and in all, the oldest given up first. A file is made only
// when a result cannot hold the output.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface LogLimits {
  /** Of one file. */
  readonly maxBytes: number;
  /** Of all files together. */
  readonly maxTotalBytes: number;
}

const OLD_MS = 24 * 60 * 60 * 1_000;
const MAX_FILES = 1_000;

/** The folder of logs of one configuration. */
export class OutputLogs {
  readonly folder: string;
  readonly #limits: LogLimits;
  /** Finished files, the oldest first. */
  readonly #finished: { readonly path: string; readonly bytes: number }[] = [];

  constructor(folder: string, limits: LogLimits) {
    this.folder = folder;
    this.#limits = limits;
    removeOld(folder);
  }

  /** Opens no file yet. */
  start(): OutputLog {
    return new OutputLog(
      join(this.folder, `exec-${randomUUID()}.log`),
      this.#limits.maxBytes,
      (path, bytes) => this.#keep(path, bytes),
    );
  }

  #keep(path: string, bytes: number): void {
    this.#finished.push({ path, bytes });
    let total = this.#finished.reduce((sum, file) => sum + file.bytes, 0);
    while (total > this.#limits.maxTotalBytes || this.#finished.length > MAX_FILES) {
      const oldest = this.#finished.shift();
      if (oldest === undefined) return;
      rmSync(oldest.path, { force: true });
      total -= oldest.bytes;
    }
  }
}

/** One file, written as the output comes; written synchronously, so that nothing waits in memory. */
export class OutputLog {
  readonly path: string;
  readonly #maxBytes: number;
  readonly #finished: (path: string, bytes: number) => void;
  #fd: number | undefined;
  #bytes = 0;
  #problem: string | undefined;
  #isClosed = false;

  constructor(path: string, maxBytes: number, finished: (path: string, bytes: number) => void) {
    this.path = path;
    this.#maxBytes = maxBytes;
    this.#finished = finished;
  }

  /** Some of the output is in the file. */
  get isWritten(): boolean {
    return this.#bytes > 0;
  }

  /** Why the file does not hold everything. */
  get problem(): string | undefined {
    return this.#problem;
  }

  write(bytes: Uint8Array): void {
    if (this.#problem !== undefined || this.#isClosed) return;
    const fitting = bytes.subarray(0, this.#maxBytes - this.#bytes);
    try {
      this.#fd ??= openSync(this.path, "wx", 0o600);
      for (let at = 0; at < fitting.length; ) {
        const written = writeSync(this.#fd, fitting, at);
        at += written;
        this.#bytes += written;
      }
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      this.#problem = `the log could not be written on (${code}) and ends after ${this.#bytes} bytes`;
      return;
    }
    if (fitting.length < bytes.length) {
      this.#problem = `the log ends at its limit of ${this.#maxBytes} bytes (output_limit)`;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    if (this.#bytes === 0) rmSync(this.path, { force: true });
    else this.#finished(this.path, this.#bytes);
  }
}

/** Left by a process that is long gone; whatever is younger may be another session's. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^exec-[0-9a-f-]{36}\.log$/.test(name)) continue;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > OLD_MS) rmSync(path, { force: true });
  }
}
