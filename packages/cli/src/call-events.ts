// The events of a call as text for a person: output as it comes, and the result as the plugin renders it.
import { StringDecoder } from "node:string_decoder";
import { create, toBinary } from "@bufbuild/protobuf";
import { type PluginProcess, paint, type ToolEvent } from "@pluggableharness/host";
import { visibleText } from "@pluggableharness/protocol";
import { type OutputStream, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import { paintOptions } from "./screen.ts";

/** Turns the events of one call into text, in order. */
export class EventText {
  readonly #plugin: PluginProcess;
  /** A character may be cut by the border of two chunks of one stream. */
  readonly #decoders = new Map<OutputStream, StringDecoder>();
  /** Output need not end with a line; what follows it begins one. */
  #isMidLine = false;

  constructor(plugin: PluginProcess) {
    this.#plugin = plugin;
  }

  /** The text of an event, safe for a terminal. */
  async of(event: ToolEvent): Promise<string> {
    if (event.case === "outputChunk") return this.#output(event.value.stream, event.value.data);
    const start = this.#isMidLine ? "\n" : "";
    this.#isMidLine = false;
    switch (event.case) {
      case "progress":
        return `${start}${visibleText(event.value.message)}\n`;
      case "partialResult":
        return `${start}${visibleText(JSON.stringify(event.value.payload))}\n`;
      case "exitStatus":
        return `${start}exit ${visibleText(event.value.signal ?? String(event.value.exitCode))}\n`;
      case "result":
        return `${start}${await this.#result(event)}\n`;
      default:
        return start;
    }
  }

  #output(stream: OutputStream, data: Uint8Array): string {
    const decoder = this.#decoders.get(stream) ?? new StringDecoder("utf8");
    this.#decoders.set(stream, decoder);
    const text = visibleText(decoder.write(Buffer.from(data)).replaceAll("\r\n", "\n"));
    if (text !== "") this.#isMidLine = !text.endsWith("\n");
    return text;
  }

  async #result(outcome: Extract<ToolEvent, { case: "result" }>): Promise<string> {
    const stored = create(ToolResultEventSchema, { toolCallId: "call-1", outcome });
    const tree = await this.#plugin.render(toBinary(ToolResultEventSchema, stored), "1");
    return tree === undefined
      ? visibleText(JSON.stringify(outcome.value.payload, undefined, 2))
      : paint(tree, paintOptions());
  }
}
