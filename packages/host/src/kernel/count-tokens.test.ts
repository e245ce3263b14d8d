import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ContentBlockSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./count-tokens.ts";

type Block = NonNullable<MessageInitShape<typeof ContentBlockSchema>["block"]>;
const text = (value: string): Block => ({ case: "text", value: { text: value } });
const data = new Uint8Array(9);

describe("an estimate of tokens", () => {
  it.each<[string, Block[], bigint]>([
    ["nothing", [], 0n],
    ["an empty block", [{ case: undefined }], 0n],
    ["one character", [text("a")], 1n],
    ["text in several blocks, rounded once", [text("abc"), text("d")], 1n],
    ["characters and not their halves", [text("😀😀😀😀")], 1n],
    ["thoughts", [{ case: "thinking", value: { text: "12345" } }], 2n],
    ["hidden thoughts", [{ case: "redactedThinking", value: { data } }], 3n],
    ["a picture", [{ case: "image", value: { data } }], 3n],
    ["a call with its arguments", [{ case: "toolUse", value: { name: "ab", arguments: {} } }], 1n],
    ["a result's content", [{ case: "toolResult", value: { content: [{ block: text("12345") }] } }], 2n],
  ])("of %s", (_name, blocks, count) => {
    expect(estimateTokens(blocks.map((block) => create(ContentBlockSchema, { block })))).toBe(count);
  });
});
