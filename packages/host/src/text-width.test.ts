import { describe, expect, it } from "vitest";
import { cutToWidth, fitToWidth, textWidth } from "./text-width.ts";

describe("textWidth", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["漢字", 4],
    ["한국", 4],
    ["😀", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["ﬁ→…", 3],
  ])("of %j is %d", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("cutToWidth", () => {
  it.each([
    ["abcdef", 3, "abc", "def"],
    ["漢字x", 3, "漢", "字x"],
    ["漢字", 1, "漢", "字"],
    ["e\u0301e\u0301", 1, "e\u0301", "e\u0301"],
    ["ab", 9, "ab", ""],
  ])("of %j at %d splits no character", (text, columns, head, rest) => {
    expect(cutToWidth(text, columns)).toEqual([head, rest]);
  });
});

describe("fitToWidth", () => {
  it.each([
    ["ab", 4, "ab  "],
    ["abcdef", 4, "abc…"],
    ["漢字漢字", 4, "漢… "],
  ])("of %j in %d fills or cuts", (text, columns, fitted) => {
    expect(fitToWidth(text, columns)).toBe(fitted);
  });
});
