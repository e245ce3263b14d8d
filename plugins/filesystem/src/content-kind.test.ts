import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeContent, detectContent } from "./content-kind.ts";
import { bomOf, encodeText } from "./text-encoding.ts";

const bytesOf = (latin1: string) => Buffer.from(latin1, "latin1");
const utf16 = (text: string, encoding: "utf-16le" | "utf-16be") =>
  encodeText(text, encoding, "text").toString("latin1");

describe("text is told by its bytes", () => {
  const text = (encoding: string, hasBom: boolean, eol: string, finalNewline: boolean) => ({
    kind: "text",
    encoding,
    hasBom,
    eol,
    finalNewline,
  });
  const cases: readonly (readonly [name: string, file: string, content: object])[] = [
    ["an empty file", "", text("utf-8", false, "none", false)],
    ["case 27: one newline", "\n", text("utf-8", false, "lf", true)],
    ["case 27: white space only", " \t ", text("utf-8", false, "none", false)],
    ["ASCII", "a\nb\n", text("utf-8", false, "lf", true)],
    ["no newline at the end", "a\nb", text("utf-8", false, "lf", false)],
    ["UTF-8", "\xc3\xa9\xf0\x9f\x98\x80\n", text("utf-8", false, "lf", true)],
    ["case 4: UTF-8 with a mark", "\xef\xbb\xbfa\r\n", text("utf-8", true, "crlf", true)],
    ["a mark alone", "\xef\xbb\xbf", text("utf-8", true, "none", false)],
    ["RD19: CRLF", "a\r\nb\r\n", text("utf-8", false, "crlf", true)],
    ["case 2: mixed line endings", "a\nb\r\n", text("utf-8", false, "mixed", true)],
    ["RD21: a lone CR ends no line", "a\rb\nc\n", text("utf-8", false, "lf", true)],
    ["RD21: lone CRs only", "a\rb\r", text("utf-8", false, "none", false)],
    [
      "case 5, RD17: UTF-16 LE with a mark",
      `\xff\xfe${utf16("a\r\nb", "utf-16le")}`,
      text("utf-16le", true, "crlf", false),
    ],
    [
      "RD17: UTF-16 BE with a mark",
      `\xfe\xff${utf16("a\n", "utf-16be")}`,
      text("utf-16be", true, "lf", true),
    ],
    ["UTF-16 LE without a mark", utf16("plain words\n", "utf-16le"), text("utf-16le", false, "lf", true)],
    ["UTF-16 BE without a mark", utf16("plain wörds\n", "utf-16be"), text("utf-16be", false, "lf", true)],
    ["U+0A0D in UTF-16 is no line ending", `\xff\xfe\x0d\x0a\x0a\x0d`, text("utf-16le", true, "none", false)],
    ["ED11: Latin-1", "// \xa9 x\nv=1\n", text("latin1", false, "lf", true)],
    ["Shift_JIS is kept byte for byte", "\x93\xfa\x96\x7b\x8c\xea\n", text("latin1", false, "lf", true)],
    ["UTF-8 with one bad byte", "gr\xc3\xbc\xffn\n", text("latin1", false, "lf", true)],
    ["terminal colours", "\x1b[31mred\x1b[0m\n".repeat(20), text("utf-8", false, "lf", true)],
    ["terminal colours in Latin-1", "\x1b[31m\xe9\x1b[0m\n", text("latin1", false, "lf", true)],
    ["RD15: text that names a format", "GIF89a is the name of a format\n", text("utf-8", false, "lf", true)],
  ];
  it.each(cases)("%s", (_name, file, content) => {
    expect(describeContent(bytesOf(file), { isWhole: true })).toEqual(content);
  });
});

describe("binary content is named", () => {
  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF\0"],
    ["image/gif", "GIF89a\x01\0\x01\0"],
    ["image/webp", "RIFF\x24\0\0\0WEBPVP8 "],
    ["application/pdf", "%PDF-1.4\n1 0 obj\n"],
    ["application/zip", "PK\x03\x04\x14\0\0\0"],
    ["application/gzip", "\x1f\x8b\x08\0\0\0\0\0"],
    ["application/x-elf", "\x7fELF\x02\x01\x01\0"],
    ["application/x-tar", `${"name\0".padEnd(257, "\0")}ustar\0`],
    ["application/octet-stream", "no signature\0 here"],
    ["application/octet-stream", "\x01\x02\x03\x04\x05\x06\x07 text"],
    ["application/octet-stream", "\x80\x01\x02\x03 short and not UTF-8"],
    ["application/octet-stream", "\x01\0\x02\0\x03\0\x04\0\x05\0"],
    ["application/octet-stream", "a\0b\0\0\0c\0d\0e\0"],
    ["application/octet-stream", "a\0b\0c\0d\0e"],
    ["text/plain; charset=utf-32le", "\xff\xfe\0\0a\0\0\0"],
    // U+3000 has a NUL where other letters have none: the byte order cannot be told for certain.
    ["application/octet-stream", utf16("plain\u3000words\n", "utf-16le")],
  ])("%s", (mediaType, file) => {
    expect(detectContent(bytesOf(file), { isWhole: true })).toEqual({ kind: "binary", mediaType });
  });
});

describe("a sample of a larger file", () => {
  it("may end within a character", () => {
    const whole = Buffer.from("é😀あ".repeat(100));
    for (let length = 1; length <= whole.length; length++) {
      expect(detectContent(whole.subarray(0, length), { isWhole: false })).toMatchObject({
        encoding: "utf-8",
      });
    }
  });

  it("of a whole file may not", () => {
    expect(detectContent(bytesOf("abc\xc3"), { isWhole: true })).toMatchObject({ encoding: "latin1" });
  });

  it("may end within a UTF-16 unit or pair", () => {
    const whole = encodeText("plain words 😃😃😃", "utf-16le", "text");
    for (let length = 20; length <= whole.length; length++) {
      expect(detectContent(whole.subarray(0, length), { isWhole: false })).toMatchObject({
        encoding: "utf-16le",
      });
    }
  });

  it("counts a NUL only in its first 8 KiB", () => {
    const late = Buffer.concat([Buffer.alloc(8_192, "a"), Buffer.from([0])]);
    expect(detectContent(late, { isWhole: true }).kind).toBe("text");
    expect(detectContent(late.subarray(1), { isWhole: true }).kind).toBe("binary");
  });
});

describe("a byte order mark", () => {
  it("is what the file begins with", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("utf-8", "utf-16le", "utf-16be"),
        fc.string({ unit: "grapheme", minLength: 1 }),
        (encoding, text) => {
          const bom = bomOf({ kind: "text", encoding, hasBom: true });
          const file = Buffer.concat([bom, encodeText(text.replaceAll("\0", ""), encoding, "text")]);
          expect(detectContent(file, { isWhole: true })).toEqual({ kind: "text", encoding, hasBom: true });
        },
      ),
    );
    expect(bomOf({ kind: "text", encoding: "utf-8", hasBom: false })).toHaveLength(0);
  });
});
