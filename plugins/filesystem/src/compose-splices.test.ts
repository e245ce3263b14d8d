import type { Splice } from "@pluggableharness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeSplices } from "./compose-splices.ts";

/** Random splices of a text into one of other letters, so that a letter tells where it came from. */
function spliced(
  text: string,
  cuts: readonly (readonly [gap: number, removed: number, added: number])[],
  letter: string,
) {
  const splices: Splice[] = [];
  let result = "";
  let at = 0;
  for (const [gap, removed, added] of cuts) {
    const oldStart = Math.min(text.length, at + gap);
    const oldEnd = Math.min(text.length, oldStart + removed);
    result += text.slice(at, oldStart) + letter.repeat(added);
    splices.push({ oldStart, oldEnd, newStart: result.length - added, newEnd: result.length });
    at = oldEnd;
  }
  return { text: result + text.slice(at), splices };
}

describe("two lists of splices as one", () => {
  it("lead from the first text to the third, in order and apart", () => {
    const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(4), fc.nat(4)), { maxLength: 5 });
    const first = "abcdefghijklmnopqrstuvwxyz";
    fc.assert(
      fc.property(cuts, cuts, (before, after) => {
        const second = spliced(first, before, "1");
        const third = spliced(second.text, after, "2");
        const composed = composeSplices(second.splices, third.splices);
        let rebuilt = "";
        let at = 0;
        for (const { oldStart, oldEnd, newStart, newEnd } of composed) {
          expect(oldStart).toBeGreaterThanOrEqual(at);
          rebuilt += first.slice(at, oldStart);
          expect(rebuilt.length).toBe(newStart);
          rebuilt += third.text.slice(newStart, newEnd);
          at = oldEnd;
        }
        expect(rebuilt + first.slice(at)).toBe(third.text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keep places apart that have nothing to do with each other", () => {
    const first = [{ oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 3 }];
    const second = [{ oldStart: 10, oldEnd: 11, newStart: 10, newEnd: 10 }];
    expect(composeSplices(first, second)).toEqual([
      { oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 3 },
      { oldStart: 8, oldEnd: 9, newStart: 10, newEnd: 10 },
    ]);
  });
});
