// Whatever the two texts are, the hunks between them re-create the new one.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { diffLines } from "./diff-lines.ts";
import { countChanges, type Hunk } from "./hunk.ts";
import { hunksFromSplices, type Splice } from "./hunks-from-splices.ts";
import { splitLines, stringText } from "./offset-text.ts";

const line = fc.constantFrom("", "a", "b", "c", "}", "  a", "a\r", "é😀");
const ending = fc.constantFrom("\n", "\n", "\r\n");
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 30 }), line)
  .map(([lines, last]) => lines.map(([body, end]) => body + end).join("") + last);
const contextLines = fc.integer({ min: 0, max: 4 });
const maxCells = fc.constantFrom(0, 10, 16_000_000);

/** What every list of hunks must hold, whoever made it. */
function expectSound(hunks: readonly Hunk[], oldText: string, newText: string): void {
  let nextOld = 0;
  let gained = 0;
  for (const hunk of hunks) {
    const counts = { context: 0, add: 0, remove: 0 };
    for (const { op, text: shown } of hunk.lines) {
      counts[op]++;
      expect(shown).not.toMatch(/\n/);
    }
    expect(hunk.oldLines).toBe(counts.context + counts.remove);
    expect(hunk.newLines).toBe(counts.context + counts.add);
    const oldIndex = hunk.oldStart - (hunk.oldLines > 0 ? 1 : 0);
    const newIndex = hunk.newStart - (hunk.newLines > 0 ? 1 : 0);
    expect(oldIndex).toBeGreaterThanOrEqual(nextOld);
    expect(newIndex).toBe(oldIndex + gained);
    nextOld = oldIndex + hunk.oldLines;
    gained += hunk.newLines - hunk.oldLines;
  }
  const { linesAdded, linesRemoved } = countChanges(hunks);
  expect(linesAdded - linesRemoved).toBe(splitLines(newText).length - splitLines(oldText).length);
  expect(applyHunks(oldText, hunks)).toBe(newText);
  for (const change of hunks.flatMap(changesOf)) expect(change.removed).not.toEqual(change.added);
}

describe("the hunks between two texts", () => {
  it("re-create the new text, whatever the budget", () => {
    fc.assert(
      fc.property(text, text, contextLines, maxCells, (oldText, newText, context, cells) => {
        const hunks = diffLines(oldText, newText, { contextLines: context, maxCells: cells });
        expectSound(hunks, oldText, newText);
      }),
      { numRuns: 2_000 },
    );
  });

  it("re-create the new text when they come from splices", () => {
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(6), text), { maxLength: 6 });
    fc.assert(
      fc.property(text, cuts, contextLines, (oldText, wanted, context) => {
        const { newText, splices } = spliced(oldText, wanted);
        const hunks = hunksFromSplices(stringText(oldText), stringText(newText), splices, {
          contextLines: context,
        });
        expectSound(hunks, oldText, newText);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The removed and the added lines of each change, as they are shown: a change must never look like none. */
function changesOf(hunk: Hunk) {
  const changes = [{ removed: [] as string[], added: [] as string[] }];
  for (const { op, text: shown, noNewline } of hunk.lines) {
    if (op === "context") changes.push({ removed: [], added: [] });
    else changes.at(-1)?.[op === "add" ? "added" : "removed"].push(noNewline ? `${shown}\\` : shown);
  }
  return changes.filter(({ removed, added }) => removed.length + added.length > 0);
}

/** Random cuts made into ordered splices that do not overlap, and the text they lead to. */
function spliced(oldText: string, wanted: readonly (readonly [number, number, string])[]) {
  const places = wanted
    .map(([at, length, inserted]) => ({ at: at % (oldText.length + 1), length, inserted }))
    .sort((a, b) => a.at - b.at);
  const splices: Splice[] = [];
  let newText = "";
  let done = 0;
  for (const { at, length, inserted } of places) {
    if (at < done) continue;
    newText += oldText.slice(done, at);
    const oldEnd = Math.min(oldText.length, at + length);
    splices.push({
      oldStart: at,
      oldEnd,
      newStart: newText.length,
      newEnd: newText.length + inserted.length,
    });
    newText += inserted;
    done = oldEnd;
  }
  return { newText: newText + oldText.slice(done), splices };
}
