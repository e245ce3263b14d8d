import { describe, expect, it } from "vitest";
import { cutToWidth, fitToWidth, textWidth, wrapToWidth } from "./text-width.ts";

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
    ["a\ufe0f", 1],
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

describe("wrapToWidth", () => {
  it.each([
    ["", 5, [""]],
    ["one two", 7, ["one two"]],
    ["one two", 5, ["one", "two"]],
    ["one two", 3, ["one", "two"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["  abcdefgh", 5, ["  abc", "defgh"]],
    ["ab 漢字漢字", 6, ["ab", "漢字漢", "字"]],
    ["e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]],
    ["漢字", 1, ["漢", "字"]],
    ["ab", -1, ["a", "b"]],
  ])("of %j at %d breaks between words where it can", (line, columns, lines) => {
    expect(wrapToWidth(line, columns)).toEqual(lines);
  });
});
