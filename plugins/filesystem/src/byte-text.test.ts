import { describe, expect, it } from "vitest";
import { byteText } from "./byte-text.ts";

describe("UTF-16 that ends with half a unit", () => {
  // "abc" and one byte that is no character; searches of Node 20 and 22 report such a byte as found.
  const text = byteText(Buffer.from("61006200630041", "hex"), "utf-16le");

  it.each([
    ["z", -1],
    ["c", 4],
    ["ab", 0],
  ])("is searched by whole units for %j", (needle, at) => {
    expect(text.indexOf(Buffer.from(needle, "utf16le"), 0)).toBe(at);
  });

  it("has no line ending in it", () => {
    expect([
      text.eol(),
      text.nextLf(0),
      text.linesBefore(text.length),
      text.lineStart(7),
      text.lineEnd(0),
    ]).toEqual(["none", -1, 0, 0, 7]);
  });
});
