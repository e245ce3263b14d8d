import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_BYTES, releaseNewlineCounter, takeNewlineCounter } from "./newline-counter.ts";

describe("the newline counter", () => {
  it("counts what a plain loop counts, for every length", () => {
    const counter = takeNewlineCounter();
    const byte = fc.constantFrom(0x0a, 0x0d, 0x00, 0x8a, 0x0b, 0x61);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.array(byte, { maxLength: 40 }), (bytes, behind) => {
        counter.block.set([...bytes, ...behind]);
        expect(counter.count(bytes.length)).toBe(bytes.filter((one) => one === 0x0a).length);
      }),
    );
  });

  it("counts a whole block", () => {
    const counter = takeNewlineCounter();
    counter.block.fill(0x0a);
    expect(counter.block.length).toBe(BLOCK_BYTES);
    expect(counter.count(BLOCK_BYTES)).toBe(BLOCK_BYTES);
    expect(counter.count(0)).toBe(0);
  });

  it("has a block of its own", () => {
    const [one, two] = [takeNewlineCounter(), takeNewlineCounter()];
    one.block.fill(0x0a, 0, 100);
    expect(two.count(100)).toBe(0);
  });

  it("is used again once it was given back, and few are kept", () => {
    const taken = Array.from({ length: 10 }, takeNewlineCounter);
    for (const counter of taken) releaseNewlineCounter(counter);
    const again = Array.from({ length: 10 }, takeNewlineCounter);
    expect(again.filter((counter) => taken.includes(counter))).toHaveLength(4);
  });
});
