// stdout belongs to the handshake: one stray line before it kills the launch, and after it nobody reads
// (go-plugin.md, 'Handshake line'). What anything in the process prints goes to the log instead.
import { StringDecoder } from "node:string_decoder";
import type { Logger } from "./logger.ts";

/** Sends everything that is written to process.stdout to the log, line by line. */
export function guardStdout(log: Logger): void {
  let rest = "";
  const decoder = new StringDecoder("utf8");
  const tell = (line: string): void => log.warn("something printed to stdout", { line });
  const write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    rest += decoder.write(bytesOf(chunk, more[0]));
    const lines = rest.split("\n");
    rest = (lines.pop() ?? "").slice(-MAX_PARTIAL_CHARS);
    for (const line of lines) tell(line);
    const done = more.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
  process.stdout.write = write;
  process.once("exit", () => {
    rest += decoder.end();
    if (rest !== "") tell(rest);
  });
}

/** What a stream's `write` takes, as bytes; the second argument of it may be an encoding. */
function bytesOf(chunk: string | Uint8Array, encoding: unknown): Buffer {
  if (typeof chunk !== "string") return Buffer.from(chunk);
  return typeof encoding === "string" && Buffer.isEncoding(encoding)
    ? Buffer.from(chunk, encoding)
    : Buffer.from(chunk);
}

/** What is kept of a line that has not ended yet. */
const MAX_PARTIAL_CHARS = 8_000;
