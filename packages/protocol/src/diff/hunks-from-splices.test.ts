import { describe, expect, it } from "vitest";
import { hunksFromSplices } from "./hunks-from-splices.ts";
import { type OffsetText, stringText } from "./offset-text.ts";
import { formatUnified } from "./unified.ts";

/** Replaces the passages and makes hunks of the known places; each passage is taken from where the last ended. */
function hunksOf(
  oldText: string,
  edits: readonly (readonly [passage: string, replacement: string])[],
): string {
  const splices = [];
  let newText = "";
  let done = 0;
  for (const [passage, replacement] of edits) {
    const oldStart = oldText.indexOf(passage, done);
    newText += oldText.slice(done, oldStart);
    const newStart = newText.length;
    newText += replacement;
    done = oldStart + passage.length;
    splices.push({ oldStart, oldEnd: done, newStart, newEnd: newText.length });
  }
  newText += oldText.slice(done);
  const hunks = hunksFromSplices(stringText(oldText), stringText(newText), splices, { contextLines: 1 });
  return formatUnified(hunks, { oldPath: "f", newPath: "f" }).split("\n").slice(2, -1).join("\n");
}

describe("the hunks of known places", () => {
  const cases: readonly (readonly [name: string, text: string, edits: [string, string][], hunks: string])[] =
    [
      [
        "show the whole line of a word",
        "a\nb c d\ne\n",
        [["c", "C"]],
        "@@ -1,3 +1,3 @@\n a\n-b c d\n+b C d\n e",
      ],
      [
        "leave out lines of a passage that stayed",
        "a\nb\nc\nd\n",
        [["a\nb\nc\n", "a\nX\nc\n"]],
        "@@ -1,3 +1,3 @@\n a\n-b\n+X\n c",
      ],
      ["say nothing of a passage put back as it was", "a\nb\n", [["b", "b"]], ""],
      [
        "join two edits of one line",
        "a\nb c d\ne\n",
        [
          ["b", "B"],
          ["d", "D"],
        ],
        "@@ -1,3 +1,3 @@\n a\n-b c d\n+B c D\n e",
      ],
      [
        "number both sides after lines were added",
        "a\nb\nc\nd\ne\nf\n",
        [
          ["a\n", "1\n2\n3\n"],
          ["f", "F"],
        ],
        "@@ -1,2 +1,4 @@\n-a\n+1\n+2\n+3\n b\n@@ -5,2 +7,2 @@\n e\n-f\n+F",
      ],
      ["show a deleted line", "a\nb\nc\n", [["b\n", ""]], "@@ -1,3 +1,2 @@\n a\n-b\n c"],
      ["show lines that an edit joins", "a\nb\nc\n", [["a\n", "a"]], "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c"],
      ["show a line that an edit splits", "ab\nc\n", [["ab", "a\nb"]], "@@ -1,2 +1,3 @@\n-ab\n+a\n+b\n c"],
      [
        "keep the mark of a missing last newline",
        "a\nb",
        [["b", "B"]],
        "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file",
      ],
      [
        "join an edit of the last line with what is put after it",
        "a\nb",
        [
          ["b", "B"],
          ["", "\nc\n"],
        ],
        "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+B\n+c",
      ],
      [
        "show two edits that touch",
        "a\nb\nc\n",
        [
          ["a\n", "A\n"],
          ["b\n", ""],
        ],
        "@@ -1,3 +1,2 @@\n-a\n-b\n+A\n c",
      ],
      [
        "say nothing of a line that one edit adds and the next removes",
        "a\nx\nb\n",
        [
          ["a", "a\nx"],
          ["x\n", ""],
        ],
        "",
      ],
      ["fill an empty text", "", [["", "x"]], "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file"],
      [
        "hide CRLF where nothing changes it",
        "a\r\nb\r\n",
        [["b", "c\r\nd"]],
        "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d",
      ],
      ["show an LF put into CRLF lines", "a\r\nb\r\n", [["b", "c\nd"]], "@@ -1,2 +1,3 @@\n a␍\n-b␍\n+c\n+d␍"],
    ];
  it.each(cases)("%s", (_name, text, edits, hunks) => {
    expect(hunksOf(text, edits)).toBe(hunks);
  });

  it("decode only the edited place and its context", () => {
    const text = "some line\n".repeat(100_000);
    const at = text.length / 2;
    let decoded = 0;
    const watched = (inner: OffsetText): OffsetText => ({
      ...inner,
      slice: (start, end) => {
        decoded += end - start;
        return inner.slice(start, end);
      },
    });
    const newText = `${text.slice(0, at)}new\n${text.slice(at)}`;
    const splice = { oldStart: at, oldEnd: at, newStart: at, newEnd: at + 4 };
    const [hunk] = hunksFromSplices(watched(stringText(text)), watched(stringText(newText)), [splice]);
    expect(hunk).toMatchObject({ oldStart: 49_998, oldLines: 6, newStart: 49_998, newLines: 7 });
    expect(decoded).toBeLessThan(100);
  });
});
