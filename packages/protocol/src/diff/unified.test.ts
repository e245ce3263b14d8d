import { describe, expect, it } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { diffLines } from "./diff-lines.ts";
import { formatUnified } from "./unified.ts";

describe("a unified diff", () => {
  it("begins with both paths and ends in a newline", () => {
    expect(formatUnified(diffLines("", "a\n"), { oldPath: "/dev/null", newPath: "f.txt" })).toBe(
      "--- /dev/null\n+++ f.txt\n@@ -0,0 +1 @@\n+a\n",
    );
  });

  it("is empty where nothing changed", () => {
    expect(formatUnified([], { oldPath: "a", newPath: "a" })).toBe("");
  });

  it.each([
    ["a\n+++ forged", '"a\\n+++ forged"'],
    ['say "x"', '"say \\"x\\""'],
    ["ä b", "ä b"],
  ])("writes the path %j so that it cannot forge a line", (path, written) => {
    const text = formatUnified(diffLines("a\n", "b\n"), { oldPath: path, newPath: path });
    expect(text.split("\n")[0]).toBe(`--- ${written}`);
  });
});

describe("applying hunks", () => {
  it("refuses a text that has not the lines of the hunk", () => {
    expect(() => applyHunks("a\nx\n", diffLines("a\nb\n", "a\nc\n"))).toThrow(
      'line 2 is "x\\n", the hunk says "b"',
    );
  });
});
