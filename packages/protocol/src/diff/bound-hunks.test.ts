import { describe, expect, it } from "vitest";
import { boundHunks } from "./bound-hunks.ts";
import { diffLines } from "./diff-lines.ts";

describe("bounded hunks", () => {
  const oldText = Array.from({ length: 30 }, (_, i) => `${i + 1}\n`).join("");
  const newText = oldText.replace("5\n", "five\n").replace("\n25\n", "\ntwenty-five\n");
  const hunks = diffLines(oldText, newText, { contextLines: 1 });

  it("are the given ones where they fit", () => {
    expect(boundHunks(hunks, { maxLines: 8 })).toEqual({ hunks, linesLeftOut: 0 });
  });

  it.each([
    [
      7,
      1,
      [
        [4, 3, 4, 3],
        [24, 2, 24, 2],
      ],
    ],
    [4, 4, [[4, 3, 4, 3]]],
    [2, 6, [[4, 2, 4, 1]]],
    [0, 8, []],
  ])("of %i lines say that %i are left out and count what they have", (maxLines, linesLeftOut, places) => {
    const bounded = boundHunks(hunks, { maxLines });
    expect(bounded.linesLeftOut).toBe(linesLeftOut);
    expect(bounded.hunks.map((hunk) => [hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines])).toEqual(
      places,
    );
  });

  it("stop at the number of characters and show nothing after the gap", () => {
    const bounded = boundHunks(hunks, { maxLines: 100, maxChars: 4 });
    expect(bounded.hunks[0]?.lines.map(({ text }) => text)).toEqual(["4", "5"]);
    expect(bounded.linesLeftOut).toBe(6);
  });

  it("keep the place of a hunk of which only added lines were left in the new text", () => {
    const [hunk] = boundHunks(diffLines("a\n", "x\ny\n"), { maxLines: 1 }).hunks;
    expect(hunk).toMatchObject({ oldStart: 1, oldLines: 1, newStart: 0, newLines: 0 });
  });

  it("show a long line around the place where it differs", () => {
    const long = "x".repeat(1_000);
    const { hunks: shown } = boundHunks(diffLines(`${long}a${long}\n`, `${long}b${long}\n`), {
      maxLines: 9,
      maxLineChars: 100,
    });
    const lead = "x".repeat(60);
    expect(shown[0]?.lines.map(({ text }) => text)).toEqual([
      `[940 characters] … ${lead}a${"x".repeat(39)} … [961 characters]`,
      `[940 characters] … ${lead}b${"x".repeat(39)} … [961 characters]`,
    ]);
  });

  it.each([0, 1, 2, 3])("never split a surrogate pair (offset %i)", (shift) => {
    const text = `${"a".repeat(shift)}${"😀".repeat(200)}`;
    const { hunks: shown } = boundHunks(diffLines(`${text}1\n`, `${text}2\n`), {
      maxLines: 9,
      maxLineChars: 51,
    });
    for (const line of shown[0]?.lines ?? []) expect(line.text.isWellFormed()).toBe(true);
  });

  it("cut a long context line from its beginning", () => {
    const long = "y".repeat(30);
    const { hunks: shown } = boundHunks(diffLines(`${long}\na\n`, `${long}\nb\n`), {
      maxLines: 9,
      maxLineChars: 10,
    });
    expect(shown[0]?.lines[0]?.text).toBe("yyyyyyyyyy … [20 characters]");
  });
});
