import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BLOCK_BYTES, releaseNewlineCounter, takeNewlineCounter } from "./newline-counter.ts";

const webAssembly: object = Reflect.get(globalThis, "WebAssembly");

/** WebAssembly that makes no instances. */
function failingWith(error: Error): object {
  const Instance = class {
    constructor() {
      throw error;
    }
  };
  return Object.create(webAssembly, { Instance: { value: Instance } });
}

/** A counter that is made now: more are taken than are ever kept. */
function newCounter() {
  const taken = Array.from({ length: 5 }, takeNewlineCounter);
  return taken.pop() ?? takeNewlineCounter();
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the newline counter", () => {
  it.each([
    ["with WebAssembly", webAssembly],
    ["without WebAssembly", undefined],
    ["without address space for it", failingWith(new RangeError("Out of memory"))],
  ])("counts what a filter finds, for every length, %s", (_name, available) => {
    vi.stubGlobal("WebAssembly", available);
    const counter = newCounter();
    const byte = fc.constantFrom(0x0a, 0x0d, 0x00, 0x8a, 0x0b, 0x61);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.array(byte, { maxLength: 40 }), (bytes, behind) => {
        counter.block.set([...bytes, ...behind]);
        expect(counter.count(bytes.length)).toBe(bytes.filter((one) => one === 0x0a).length);
      }),
    );
  });

  it("does not hide that its module is wrong", () => {
    vi.stubGlobal("WebAssembly", failingWith(new TypeError("no such import")));
    expect(newCounter).toThrow("no such import");
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
