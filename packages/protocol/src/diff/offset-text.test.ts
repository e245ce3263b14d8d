import { describe, expect, it } from "vitest";
import { countedFromLast, splitLines } from "./offset-text.ts";

describe("counting lines before an offset", () => {
  it("goes on from the last answer, in either direction", () => {
    const asked: [number, number][] = [];
    const linesBefore = countedFromLast((start, end) => {
      asked.push([start, end]);
      return (end - start) / 10;
    });
    expect([100, 120, 90].map(linesBefore)).toEqual([10, 12, 9]);
    expect(asked).toEqual([
      [0, 100],
      [100, 120],
      [90, 120],
    ]);
  });
});

describe("the lines of a text", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a\n"]],
    ["a\r\n\nb\rc", ["a\r\n", "\n", "b\rc"]],
  ])("of %j keep their endings", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});
