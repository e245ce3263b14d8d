// The events of a call as text for a person: output as it comes, and the result as the plugin renders it.
import { StringDecoder } from "node:string_decoder";
import { paint, type RenderTree, type StreamedEvent } from "@pluggableharness/host";
import { type Json, visibleText } from "@pluggableharness/protocol";
import type { OutputStream } from "@pluggableharness/protocol/wire";
import { paintOptions } from "./screen.ts";

/** Turns the events of one call into text, in order. */
export class EventText {
  /** A character may be cut by the border of two chunks of one stream. */
  readonly #decoders = new Map<OutputStream, StringDecoder>();
  /** Output need not end with a line; what follows it begins one. */
  #isMidLine = false;

  /** The text of an event, safe for a terminal. */
  of(event: StreamedEvent): string {
    switch (event.case) {
      case "outputChunk":
        return this.#output(event.value.stream, event.value.data);
      case "progress":
        return `${this.endLine()}${visibleText(event.value.message)}\n`;
      case "partialResult":
        return `${this.endLine()}${visibleText(JSON.stringify(event.value.payload))}\n`;
      case "exitStatus":
        return `${this.endLine()}exit ${visibleText(event.value.signal ?? String(event.value.exitCode))}\n`;
    }
  }

  /** What ends a line that output has begun: before anything else is shown. */
  endLine(): string {
    const end = this.#isMidLine ? "\n" : "";
    this.#isMidLine = false;
    return end;
  }

  #output(stream: OutputStream, data: Uint8Array): string {
    const decoder = this.#decoders.get(stream) ?? new StringDecoder("utf8");
    this.#decoders.set(stream, decoder);
    const text = visibleText(decoder.write(Buffer.from(data)).replaceAll("\r\n", "\n"));
    if (text !== "") this.#isMidLine = !text.endsWith("\n");
    return text;
  }
}

/** A result as its plugin renders it, or its payload where the plugin renders nothing, or fails to. */
export async function resultText(
  rendering: Promise<RenderTree | undefined>,
  payload: Json | undefined,
): Promise<string> {
  let note = "";
  try {
    const tree = await rendering;
    if (tree !== undefined) return paint(tree, paintOptions());
  } catch (error) {
    // What was done is done: that it cannot be rendered is no failure of the call.
    note = `not rendered: ${error instanceof Error ? error.message : error}\n`;
  }
  return visibleText(note + JSON.stringify(payload ?? {}, undefined, 2));
}
