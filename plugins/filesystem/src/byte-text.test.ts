import { stringText } from "@pluggableharness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteText } from "./byte-text.ts";
import { lfView } from "./lf-view.ts";
import { encodeText, type TextEncoding, unitBytes } from "./text-encoding.ts";

const encoding = fc.constantFrom<TextEncoding>("utf-16le", "utf-16be", "latin1");
// U+0A0D and U+0D0A hold the bytes of line endings in the wrong places; Latin-1 has no such character.
const text = (enc: TextEncoding) =>
  fc
    .array(fc.constantFrom("a", "\r", "\n", "\r\n", enc === "latin1" ? "\xff" : "\u0a0d\u0d0a"), {
      maxLength: 30,
    })
    .map((parts) => parts.join(""));
const textIn = encoding.chain((enc) => fc.record({ enc: fc.constant(enc), text: text(enc) }));

describe("undecoded bytes", () => {
  it("have the lines of the string they encode", () => {
    fc.assert(
      fc.property(
        textIn,
        fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
        ({ enc, text: string }, offsets) => {
          const unit = unitBytes(enc);
          const bytes = byteText(encodeText(string, enc, "text"), enc);
          const reference = stringText(string);
          for (const offset of offsets.map((each) => each % (string.length + 1))) {
            expect(bytes.lineStart(offset * unit)).toBe(reference.lineStart(offset) * unit);
            expect(bytes.lineEnd(offset * unit)).toBe(reference.lineEnd(offset) * unit);
            // Asked for in any order, since the answer builds on the one before.
            expect(bytes.linesBefore(offset * unit)).toBe(reference.linesBefore(offset));
            expect(bytes.linesBefore(offset * unit)).toBe(string.slice(0, offset).split("\n").length - 1);
          }
        },
      ),
    );
  });

  it("count the lines of large files as those of small ones", () => {
    const bytes = byteText(Buffer.from("a\nbc\n\n".repeat(700_000)), "utf-8");
    expect([4_200_000, 4_000_002, 6, 0].map((offset) => bytes.linesBefore(offset))).toEqual([
      2_100_000, 2_000_001, 3, 0,
    ]);
  });

  it("know their line endings", () => {
    fc.assert(
      fc.property(textIn, ({ enc, text: string }) => {
        const hasCrlf = string.includes("\r\n");
        const hasLf = /(?<!\r)\n/.test(string);
        const eol = hasCrlf ? (hasLf ? "mixed" : "crlf") : hasLf ? "lf" : "none";
        expect(byteText(encodeText(string, enc, "text"), enc).eol()).toBe(eol);
      }),
    );
  });
});

describe("the view of a text with LF alone", () => {
  it("leads back to the offsets of the original", () => {
    fc.assert(
      fc.property(textIn, ({ enc, text: string }) => {
        const unit = unitBytes(enc);
        const view = lfView(byteText(encodeText(string, enc, "text"), enc));
        expect(view.text.slice(0, view.text.length)).toBe(string.replaceAll("\r\n", "\n"));
        for (let offset = 0; offset <= view.text.length; offset += unit) {
          const before = string.slice(0, view.toOriginal(offset) / unit);
          expect(before.replaceAll("\r\n", "\n").length * unit).toBe(offset);
          expect(before.endsWith("\r") && string.startsWith("\n", before.length)).toBe(false);
        }
      }),
    );
  });
});
