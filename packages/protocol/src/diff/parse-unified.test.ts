import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.ts";
import { parseUnified } from "./parse-unified.ts";
import { formatUnified } from "./unified.ts";

const paths = { oldPath: "a", newPath: "b" };

describe("parseUnified", () => {
  it("gives back the hunks that were formatted, whatever stands in their lines", () => {
    const line = fc.constantFrom(
      "a",
      "",
      "--- a",
      "+++ b",
      "@@ -1 +1 @@",
      "\\ No newline at end of file",
      " x",
      "-y",
    );
    const text = fc
      .tuple(fc.array(line), fc.boolean())
      .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = diffLines(before, after);
        expect(parseUnified(formatUnified(hunks, paths))).toEqual(hunks);
      }),
    );
  });

  it.each(["", "no diff at all", "--- a\n+++ b\n"])("finds no hunk in %j", (text) => {
    expect(parseUnified(text)).toEqual([]);
  });
});
