// Render: bytes that were stored long ago, back as something to look at (semantics.md, 'Render'). Decodes
// strictly, answers invalid_arguments to what it does not know, and never guesses.
import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { RECURSION_LIMIT } from "@pluggableharness/grpc";
import {
  categoryFromWire,
  problemsInWords,
  type RenderNode,
  ToolError,
  ui,
  validate,
} from "@pluggableharness/protocol";
import { ToolCallEventSchema, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import type { Tool } from "./define-plugin.ts";

/** The version of the payloads this SDK writes and reads. */
export const SCHEMA_VERSION = "1";

type Tools = ReadonlyMap<string, Tool<never>>;

/** The node for a stored payload. Throws invalid_arguments for another version, other bytes or another plugin's payload. */
export function renderEvent(tools: Tools, payload: Uint8Array, schemaVersion: string): RenderNode {
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new ToolError(
      "invalid_arguments",
      `schema_version ${JSON.stringify(schemaVersion.slice(0, 40))} is not known to this plugin; it renders "${SCHEMA_VERSION}"`,
    );
  }
  const fields = topLevelFields(payload);
  if (fields === undefined || fields.size === 0) throw undecodable();
  // A result event has an outcome in field 2 or 3; a call event has field 1 alone.
  if (fields.has(2) || fields.has(3)) return renderResult(tools, decode(ToolResultEventSchema, payload));
  return renderCall(tools, decode(ToolCallEventSchema, payload));
}

function renderResult(tools: Tools, event: MessageShape<typeof ToolResultEventSchema>): RenderNode {
  const { outcome } = event;
  if (outcome.case === "error") {
    return ui.text(`${categoryFromWire(outcome.value.category)}: ${outcome.value.message}`, "error");
  }
  const payload = outcome.value?.payload;
  const operation = payload?.["operation"];
  const tool = typeof operation === "string" ? tools.get(operation) : undefined;
  if (tool === undefined) {
    const words =
      typeof operation === "string" ? `operation ${JSON.stringify(operation.slice(0, 100))}` : "no operation";
    throw new ToolError(
      "invalid_arguments",
      `the stored result names ${words} of this plugin; it has: ${[...tools.keys()].join(", ")}`,
    );
  }
  const problems = validate(tool.output, payload);
  if (problems.length > 0) {
    throw new ToolError(
      "invalid_arguments",
      `the stored result of ${tool.name} cannot be shown: ${problemsInWords(problems, "result")}`,
    );
  }
  return tool.render(payload);
}

function renderCall(tools: Tools, { call }: MessageShape<typeof ToolCallEventSchema>): RenderNode {
  if (call === undefined) throw undecodable();
  const tool = tools.get(call.toolName);
  const input = call.arguments ?? {};
  if (tool?.renderCall !== undefined && validate(tool.input, input).length === 0)
    return tool.renderCall(input);
  return ui.group(ui.text(call.toolName, "bold"), ui.codeBlock(JSON.stringify(input, undefined, 2), "json"));
}

function decode<D extends DescMessage>(schema: D, payload: Uint8Array): MessageShape<D> {
  try {
    return fromBinary(schema, payload, { recursionLimit: RECURSION_LIMIT });
  } catch (cause) {
    throw undecodable(cause);
  }
}

function undecodable(cause?: unknown): ToolError {
  return new ToolError(
    "invalid_arguments",
    "the payload is neither an event.v1.ToolCallEvent nor an event.v1.ToolResultEvent",
    { cause },
  );
}

/** The field numbers of a message; undefined for bytes that are no message. */
function topLevelFields(bytes: Uint8Array): Set<number> | undefined {
  const fields = new Set<number>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const wireType = tag % 8;
    // Both events consist of length-delimited fields only.
    if (!(tag >= 8) || wireType !== 2) return undefined;
    const length = varint();
    at += length;
    if (!(at <= bytes.length)) return undefined;
    fields.add(Math.floor(tag / 8));
  }
  return fields;
}
