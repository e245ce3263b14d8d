import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteSink } from "./byte-sink.ts";

it("keeps every byte up to its limit, whatever was expected", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 200_000 }),
      (chunks, maxBytes, expected) => {
        using sink = new ByteSink(maxBytes, expected);
        const whole = Buffer.concat(chunks);
        let length = 0;
        for (const chunk of chunks) {
          length += chunk.length;
          expect(sink.add(chunk)).toBe(chunk.length === 0 || length <= maxBytes);
        }
        expect(sink.bytes().equals(whole.subarray(0, maxBytes))).toBe(true);
        expect(sink.bytes().buffer.byteLength).toBe(sink.length);
      },
    ),
  );
});

it("gives its memory back", () => {
  const sink = new ByteSink(1_000);
  sink.add(Buffer.from("words"));
  const bytes = sink.bytes();
  sink[Symbol.dispose]();
  expect(bytes).toHaveLength(0);
});
