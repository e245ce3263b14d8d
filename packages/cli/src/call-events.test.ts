import { create } from "@bufbuild/protobuf";
import type { StreamedEvent } from "@pluggableharness/host";
import {
  OutputStream,
  ToolEvent_OutputChunkSchema,
  ToolEvent_ProgressSchema,
} from "@pluggableharness/protocol/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventText } from "./call-events.ts";

const chunk = (data: Uint8Array, stream: OutputStream = OutputStream.STDOUT): StreamedEvent => ({
  case: "outputChunk",
  value: create(ToolEvent_OutputChunkSchema, { stream, data }),
});
const progress: StreamedEvent = {
  case: "progress",
  value: create(ToolEvent_ProgressSchema, { message: "half" }),
};

describe("EventText", () => {
  it("gives the same text wherever output is cut, and nothing a terminal would act on", () => {
    const output = fc.array(fc.constantFrom("a", "é", "漢", "😀", "\n", "\u001b[2J"));
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 4 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(""));
        const events = new EventText();
        let shown = "";
        for (let at = 0; at < bytes.length; at += size)
          shown += events.of(chunk(bytes.subarray(at, at + size)));
        expect(shown).toBe(parts.join("").replaceAll("\u001b", "␛"));
      }),
    );
  });

  it("keeps the characters of two streams apart", () => {
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    const events = new EventText();
    const shown = [
      events.of(chunk(first)),
      events.of(chunk(Buffer.from("x"), OutputStream.STDERR)),
      events.of(chunk(second)),
    ];
    expect(shown.join("")).toBe("xé");
  });

  it("begins a line for what follows output in the middle of one", () => {
    const events = new EventText();
    expect(events.of(chunk(Buffer.from("out")))).toBe("out");
    expect(events.of(progress)).toBe("\nhalf\n");
    expect(events.of(progress)).toBe("half\n");
  });
});
