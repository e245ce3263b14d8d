import { create } from "@bufbuild/protobuf";
import type { PluginProcess, ToolEvent } from "@pluggableharness/host";
import { OutputStream, ToolEventSchema } from "@pluggableharness/protocol/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventText } from "./call-events.ts";

// Only a result asks the plugin for anything.
const text = (): EventText => new EventText({} as PluginProcess);
const chunk = (data: Uint8Array, stream: OutputStream = OutputStream.STDOUT): ToolEvent =>
  create(ToolEventSchema, { event: { case: "outputChunk", value: { stream, data } } }).event;

describe("EventText", () => {
  it("gives the same text wherever output is cut, and nothing a terminal would act on", async () => {
    const output = fc.array(fc.constantFrom("a", "é", "漢", "😀", "\n", "\u001b[2J"));
    await fc.assert(
      fc.asyncProperty(output, fc.integer({ min: 1, max: 4 }), async (parts, size) => {
        const bytes = Buffer.from(parts.join(""));
        const events = text();
        let shown = "";
        for (let at = 0; at < bytes.length; at += size)
          shown += await events.of(chunk(bytes.subarray(at, at + size)));
        expect(shown).toBe(parts.join("").replaceAll("\u001b", "␛"));
      }),
    );
  });

  it("keeps the characters of two streams apart", async () => {
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    const events = text();
    const shown = [
      await events.of(chunk(first)),
      await events.of(chunk(Buffer.from("x"), OutputStream.STDERR)),
      await events.of(chunk(second)),
    ];
    expect(shown.join("")).toBe("xé");
  });

  it("begins a line for what follows output in the middle of one", async () => {
    const events = text();
    const progress = create(ToolEventSchema, {
      event: { case: "progress", value: { message: "half" } },
    }).event;
    expect(await events.of(chunk(Buffer.from("out")))).toBe("out");
    expect(await events.of(progress)).toBe("\nhalf\n");
    expect(await events.of(progress)).toBe("half\n");
  });
});
