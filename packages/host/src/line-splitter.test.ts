import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, MAX_LINE_BYTES } from "./line-splitter.ts";

function split(chunks: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

describe("LineSplitter", () => {
  it("gives the same lines whatever the chunk borders", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "é", "\n", "xyz")),
        fc.integer({ min: 1, max: 5 }),
        (parts, size) => {
          const bytes = Buffer.from(parts.join(""));
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          const expected = parts.join("").split("\n");
          expect(split(chunks).join("\n")).toBe(split([bytes]).join("\n"));
          expect(split([bytes]).filter((line) => line !== "")).toEqual(
            expected.filter((line) => line !== ""),
          );
        },
      ),
    );
  });

  it("keeps a bounded part of an endless line and finds the next one", () => {
    const chunk = Buffer.alloc(1_000_000, "x");
    const lines = split([chunk, chunk, Buffer.from("\nnext\n")]);
    expect(lines.map((line) => line.length)).toEqual([MAX_LINE_BYTES, 4]);
  });
});
