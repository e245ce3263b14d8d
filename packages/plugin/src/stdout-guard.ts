// stdout belongs to the handshake: one stray line before it kills the launch, and after it nobody reads
// (go-plugin.md, 'Handshake line'). What anything in the process prints goes to the log instead.
import type { Logger } from "./logger.ts";

/** Sends everything that is written to process.stdout to the log, line by line. */
export function guardStdout(log: Logger): void {
  let rest = "";
  const write = (chunk: unknown, ...more: unknown[]): boolean => {
    rest += typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8"); // as stream.write takes it
    const lines = rest.split("\n");
    rest = (lines.pop() ?? "").slice(-MAX_PARTIAL_CHARS);
    for (const line of lines) log.warn("something printed to stdout", { line });
    const done = more.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
  process.stdout.write = write;
}

/** What is kept of a line that has not ended yet. */
const MAX_PARTIAL_CHARS = 8_000;
