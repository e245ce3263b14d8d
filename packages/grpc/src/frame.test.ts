import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Code } from "./code.ts";
import { FrameReader, frameHeader } from "./frame.ts";

const LIMIT = 1_000;

function framed(message: Uint8Array): Buffer {
  return Buffer.concat([frameHeader(message.length), message]);
}

describe("FrameReader", () => {
  it("gives the same messages whatever the chunk borders", () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    const cuts = fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1 });
    fc.assert(
      fc.property(messages, cuts, (sent, sizes) => {
        const reader = new FrameReader(LIMIT);
        const bytes = Buffer.concat(sent.map(framed));
        const received: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          received.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        reader.end();
        expect(received.map((message) => [...message])).toEqual(sent.map((message) => [...message]));
      }),
    );
  });

  it("refuses a message over the limit by its header alone", () => {
    const reader = new FrameReader(LIMIT);
    expect(reader.push(framed(Buffer.alloc(LIMIT)))).toHaveLength(1);
    expect(() => reader.push(frameHeader(LIMIT + 1))).toThrow(
      expect.objectContaining({
        code: Code.RESOURCE_EXHAUSTED,
        message: expect.stringContaining("1001 bytes"),
      }),
    );
  });

  it("refuses compressed messages", () => {
    expect(() => new FrameReader(LIMIT).push(Buffer.from([1, 0, 0, 0, 0]))).toThrow(
      expect.objectContaining({ code: Code.UNIMPLEMENTED }),
    );
  });

  it.each([
    ["inside a header", Buffer.from([0, 0])],
    ["inside a message", Buffer.from([0, 0, 0, 0, 2, 7])],
    ["before a message", Buffer.from([0, 0, 0, 0, 2])],
  ])("notices a stream that ends %s", (_where, bytes) => {
    const reader = new FrameReader(LIMIT);
    reader.push(bytes);
    expect(() => reader.end()).toThrow("ended inside a message");
  });

  it("joins a message that comes a byte at a time, without keeping a piece for each", () => {
    const reader = new FrameReader(10_000_000);
    const message = Buffer.alloc(300_000, "x");
    const bytes = Buffer.concat([frameHeader(message.length), message, frameHeader(2), Buffer.from("ab")]);
    const messages: Buffer[] = [];
    for (let at = 0; at < bytes.length; at++) messages.push(...reader.push(bytes.subarray(at, at + 1)));
    expect(messages.map((one) => one.length)).toEqual([300_000, 2]);
    expect(messages[0]?.equals(message)).toBe(true);
  });

  it("says of a compressed message what it means to its side", () => {
    const compressed = Buffer.from([1, 0, 0, 0, 0]);
    expect(() => new FrameReader(10).push(compressed)).toThrow(
      expect.objectContaining({ code: Code.UNIMPLEMENTED }),
    );
    expect(() => new FrameReader(10, Code.INTERNAL).push(compressed)).toThrow(
      expect.objectContaining({ code: Code.INTERNAL }),
    );
  });
});
