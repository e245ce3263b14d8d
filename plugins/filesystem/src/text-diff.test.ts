import { applyHunks } from "@pluggableharness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteText } from "./byte-text.ts";
import { commonEnds } from "./common-ends.ts";
import { diffTexts } from "./text-diff.ts";

const text = (content: string) => byteText(Buffer.from(content), "utf-8");

describe("diffTexts", () => {
  it("compares lines up to a size", () => {
    const { hunks, ...counts } = diffTexts(text("a\nb\nc\n"), text("a\nB\nc\n"));
    expect(counts).toEqual({ linesAdded: 1, linesRemoved: 1, linesLeftOut: 0 });
    expect(applyHunks("a\nb\nc\n", hunks)).toBe("a\nB\nc\n");
  });

  it.each([
    [
      "a creation",
      "",
      "x\n".repeat(300_000),
      { linesAdded: 300_000, linesRemoved: 0, linesLeftOut: 299_800 },
    ],
    ["a removal", "x\n".repeat(300_000), "", { linesAdded: 0, linesRemoved: 300_000, linesLeftOut: 299_800 }],
    [
      "a passage",
      `top\n${"x\n".repeat(300_000)}end`,
      `top\n${"y\n".repeat(5)}end`,
      { linesAdded: 5, linesRemoved: 300_000, linesLeftOut: 299_800 },
    ],
    [
      "a last line",
      `${"x\n".repeat(300_000)}a`,
      `${"x\n".repeat(300_000)}b`,
      { linesAdded: 1, linesRemoved: 1, linesLeftOut: 0 },
    ],
    [
      "one long line",
      "x".repeat(9_000_000),
      "y".repeat(9_000_000),
      { linesAdded: 1, linesRemoved: 1, linesLeftOut: 0 },
    ],
  ])("shows %s of a large file as replaced, and counts its lines", (_name, before, after, counts) => {
    expect(diffTexts(text(before), text(after))).toMatchObject(counts);
  });

  it("places the replaced passage where it is", () => {
    const { hunks } = diffTexts(text(`top\n${"x\n".repeat(300_000)}end`), text(`top\nnew\nend`));
    expect(hunks).toMatchObject([{ oldStart: 2, oldLines: 200, newStart: 2, newLines: 1 }]);
    expect(hunks[0]?.lines.at(-1)).toEqual({ op: "add", text: "new" });
    expect(hunks[0]?.lines[0]).toEqual({ op: "remove", text: "x" });
  });

  it("marks a last line without newline, and reads UTF-16 by its units", () => {
    const utf16 = (content: string) => byteText(Buffer.from(content, "utf16le"), "utf-16le");
    const { hunks } = diffTexts(
      utf16("\u0a0a\n".repeat(250_000)),
      utf16(`${"\u0a0a\n".repeat(249_999)}\u0a0b`),
    );
    expect(hunks[0]?.lines).toEqual([
      { op: "remove", text: "\u0a0a" },
      { op: "add", text: "\u0a0b", noNewline: true },
    ]);
  });
});

describe("commonEnds", () => {
  it("finds what a loop over the bytes finds, without counting a byte twice", () => {
    const bytes = fc.array(fc.constantFrom(1, 2), { maxLength: 30 });
    fc.assert(
      fc.property(bytes, bytes, fc.integer({ min: 0, max: 40_000 }), (a, b, padding) => {
        const pad = Buffer.alloc(padding);
        const [one, two] = [
          Buffer.concat([pad, Buffer.from(a), pad]),
          Buffer.concat([pad, Buffer.from(b), pad]),
        ];
        const { start, tail } = commonEnds(one, two);
        const shorter = Math.min(one.length, two.length);
        expect(one.subarray(0, start).equals(two.subarray(0, start))).toBe(true);
        expect(one.subarray(one.length - tail).equals(two.subarray(two.length - tail))).toBe(true);
        expect(start + tail).toBeLessThanOrEqual(shorter);
        if (start + tail < shorter) {
          expect(one[start]).not.toBe(two[start]);
          expect(one[one.length - 1 - tail]).not.toBe(two[two.length - 1 - tail]);
        }
      }),
    );
  });
});
