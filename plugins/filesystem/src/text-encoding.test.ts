import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, encodeText, type TextEncoding } from "./text-encoding.ts";

const encodings: readonly TextEncoding[] = ["utf-8", "utf-16le", "utf-16be", "latin1"];

describe("text in an encoding", () => {
  it.each(encodings)("comes back from %s", (encoding) => {
    const unit =
      encoding === "latin1"
        ? fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })
        : fc.string({ unit: "binary" });
    fc.assert(
      fc.property(unit, (text) => {
        expect(decodeText(encodeText(text, encoding, "content"), encoding)).toBe(text);
      }),
    );
  });

  it("comes back as bytes from latin1, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const file = Buffer.from(bytes);
        expect(encodeText(decodeText(file, "latin1"), "latin1", "content")).toEqual(file);
      }),
    );
  });

  it.each([
    ["utf-8", "a\xff", "a\ufffd"],
    ["utf-16le", "a\0\x3d\xd8b\0", "a\ufffdb"],
    ["utf-16be", "\0a\0", "a\ufffd"],
  ] as const)("shows what is invalid in %s as U+FFFD", (encoding, bytes, text) => {
    expect(decodeText(Buffer.from(bytes, "latin1"), encoding)).toBe(text);
  });

  it.each(encodings)("is refused in %s where it holds half of a surrogate pair", (encoding) => {
    expect(() => encodeText("ab\udc00", encoding, "content")).toThrow(
      "content holds half of a surrogate pair (U+DC00) at character 3; give the whole character",
    );
  });

  it("is refused in latin1 where it holds a character beyond U+00FF", () => {
    expect(() => encodeText("ÿ€", "latin1", "content")).toThrow(
      "content holds `€` (U+20AC), which latin1, the encoding of the file, cannot hold; use characters up to U+00FF",
    );
  });
});
