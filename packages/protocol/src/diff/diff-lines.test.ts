import { describe, expect, it } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { diffLines } from "./diff-lines.ts";
import { countChanges } from "./hunk.ts";
import { formatUnified } from "./unified.ts";

const paths = { oldPath: "a/f", newPath: "b/f" };

/** The unified text without its two file lines. */
function unified(oldText: string, newText: string): string {
  return formatUnified(diffLines(oldText, newText), paths).split("\n").slice(2, -1).join("\n");
}

describe("the diff of two texts", () => {
  const cases: readonly (readonly [name: string, oldText: string, newText: string, hunks: string])[] = [
    ["of equal texts is empty", "a\n", "a\n", ""],
    [
      "shows a changed line between its context",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8",
    ],
    ["starts at 0 where a text was empty", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b"],
    ["starts at 0 where a text becomes empty", "a\n", "", "@@ -1 +0,0 @@\n-a"],
    [
      "says that a last newline is gone",
      "a\nb\n",
      "a\nb",
      "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file",
    ],
    ["says that a last newline was missing", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a"],
    [
      "marks the last line also as context",
      "a\nb",
      "A\nb",
      "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file",
    ],
    ["hides line endings that stay", "a\r\nb\r\n", "a\r\nB\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B"],
    ["shows CRLF that becomes LF", "a\r\nb\r\n", "a\nb\n", "@@ -1,2 +1,2 @@\n-a␍\n-b␍\n+a\n+b"],
    ["shows LF that becomes CRLF on one line", "a\nb\n", "a\nb\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b␍"],
    [
      "shows one CRLF line made LF in an LF file",
      "a\nb\r\nc\n",
      "a\nb\nc\n",
      "@@ -1,3 +1,3 @@\n a\n-b␍\n+b\n c",
    ],
    ["shows lines that were joined", "a\nb\nc\n", "a b\nc\n", "@@ -1,3 +1,2 @@\n-a\n-b\n+a b\n c"],
    ["takes a lone CR for text", "a\rb\nc\n", "a\rB\nc\n", "@@ -1,2 +1,2 @@\n-a\rb\n+a\rB\n c"],
    [
      "keeps two changes apart when seven lines lie between",
      "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
      "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
      "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B",
    ],
    [
      "joins two changes when six lines lie between",
      "a\n1\n2\n3\n4\n5\n6\nb\n",
      "A\n1\n2\n3\n4\n5\n6\nB\n",
      "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B",
    ],
    [
      "finds the kept line among repeated ones",
      "}\n}\nx\n}\n",
      "}\n}\n}\ny\n}\n",
      "@@ -1,4 +1,5 @@\n }\n }\n-x\n+}\n+y\n }",
    ],
  ];
  it.each(cases)("%s", (_name, oldText, newText, hunks) => {
    expect(unified(oldText, newText)).toBe(hunks);
  });
});

describe("the diff of 50,000 lines", () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => (index % 7 === 0 ? "}" : `  line ${index}`));
  const cases: readonly (readonly [name: string, newLines: readonly string[], linesAdded: number])[] = [
    ["is exact for 200 scattered edits", lines.map((line, i) => (i % 250 === 0 ? `${line}!` : line)), 200],
    [
      "is exact where every second line is new",
      lines.map((line, i) => (i % 2 === 0 ? line : `new ${i}`)),
      25_000,
    ],
    ["replaces all that was indented again", lines.map((line) => `\t${line}`), 50_000],
    ["replaces all in a total rewrite", lines.map((_, i) => `z${i}`), 50_000],
  ];
  it.each(cases)("%s", (_name, newLines, linesAdded) => {
    const oldText = `${lines.join("\n")}\n`;
    const newText = `${newLines.join("\n")}\n`;
    const hunks = diffLines(oldText, newText);
    expect(countChanges(hunks)).toEqual({ linesAdded, linesRemoved: linesAdded });
    expect(applyHunks(oldText, hunks)).toBe(newText);
  });

  it("gives a gap without anchors up to a whole replacement when the budget is used up", () => {
    const oldText = "a\nb\na\nb\nx\n";
    const newText = "b\na\nb\na\nx\n";
    expect(countChanges(diffLines(oldText, newText))).toEqual({ linesAdded: 1, linesRemoved: 1 });
    expect(countChanges(diffLines(oldText, newText, { maxCells: 15 }))).toEqual({
      linesAdded: 4,
      linesRemoved: 4,
    });
  });

  it("shares the budget among all gaps", () => {
    const gap = (letter: string) => [letter, `${letter}${letter}`].flatMap((line) => [line, line]);
    const oldText = [...gap("a"), "anchor", ...gap("b"), ""].join("\n");
    const newText = [...gap("a").reverse(), "anchor", ...gap("b").reverse(), ""].join("\n");
    expect(countChanges(diffLines(oldText, newText))).toEqual({ linesAdded: 4, linesRemoved: 4 });
    expect(countChanges(diffLines(oldText, newText, { maxCells: 16 }))).toEqual({
      linesAdded: 6,
      linesRemoved: 6,
    });
  });
});
