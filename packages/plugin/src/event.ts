// What a streaming operation yields before its result: progress, output, partial results and the exit status
// of a child process. The terminal event is not here: return is the result, throw is the error.
import type { Json } from "@pluggableharness/protocol";

export type OutputStreamName = "stdout" | "stderr";

export type StreamEvent =
  | { readonly type: "progress"; readonly message: string; readonly fraction?: number }
  | { readonly type: "output"; readonly stream: OutputStreamName; readonly data: Uint8Array }
  | { readonly type: "partial"; readonly payload: { [key: string]: Json } }
  | { readonly type: "exit"; readonly exitCode: number; readonly signal?: string };

/** How far the call is; `fraction` from 0 to 1 where it is known. */
export function progress(message: string, fraction?: number): StreamEvent {
  return fraction === undefined ? { type: "progress", message } : { type: "progress", message, fraction };
}

/** Bytes of a process, in the order they came. */
export function outputChunk(stream: OutputStreamName, data: Uint8Array): StreamEvent {
  return { type: "output", stream, data };
}

/** A part of the result that is already known. */
export function partialResult(payload: { [key: string]: Json }): StreamEvent {
  return { type: "partial", payload };
}

/** How a child process ended; at most once a call, and only for operations that run one. */
export function exitStatus(exitCode: number, signal?: string): StreamEvent {
  return signal === undefined ? { type: "exit", exitCode } : { type: "exit", exitCode, signal };
}
