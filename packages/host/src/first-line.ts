// The first line of a process's stdout, or why there is none. Everything after it is read and dropped, for ever.
import type { ChildProcess } from "node:child_process";
import { LineSplitter, MAX_LINE_BYTES } from "./line-splitter.ts";

/** After stdout has ended: time for the end of the process, which says more. */
const EXIT_GRACE_MS = 500;

export interface FirstLineOptions {
  readonly timeoutMs: number;
  /** Gives up, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits for the line. Throws where the process ends, closes its stdout, goes on without a line end or is too slow. */
export function firstLine(child: ChildProcess, { timeoutMs, signal }: FirstLineOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    const onAbort = (): void => settle(() => reject(signal?.reason));
    let take = (chunk: Buffer): void => read(chunk);
    const settle = (act: () => void): void => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      take = () => {};
      act();
    };
    const fail = (why: string, cause?: unknown): void => settle(() => reject(new Error(why, { cause })));
    const failAfter = (delayMs: number, why: string): void => {
      timers.push(setTimeout(() => fail(why), delayMs));
    };

    const splitter = new LineSplitter((line) => settle(() => resolve(line)));
    let seenBytes = 0;
    const read = (chunk: Buffer): void => {
      splitter.push(chunk);
      seenBytes += chunk.length;
      // Where the line was among these bytes, this comes too late to matter.
      if (seenBytes > MAX_LINE_BYTES)
        fail(`the first line of its stdout is longer than ${MAX_LINE_BYTES} bytes`);
    };
    failAfter(timeoutMs, `it printed no handshake line within ${timeoutMs} ms`);
    child.stdout?.on("data", (chunk: Buffer) => take(chunk));
    child.stdout?.once("end", () => failAfter(EXIT_GRACE_MS, "it closed its stdout before a handshake line"));
    child.once("error", (error) => fail(`it cannot be started: ${error.message}`, error));
    child.once("exit", (code, name) => fail(`it ended with ${name ?? code} before its handshake line`));
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted === true) onAbort();
  });
}
