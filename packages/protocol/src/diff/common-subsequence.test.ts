import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonSubsequenceChanges } from "./common-subsequence.ts";

/** The length of the longest common subsequence, by its definition. */
function commonLength(a: readonly number[], b: readonly number[]): number {
  const [first, ...restOfA] = a;
  if (first === undefined || b.length === 0) return 0;
  const at = b.indexOf(first);
  const without = commonLength(restOfA, b);
  return at === -1 ? without : Math.max(without, 1 + commonLength(restOfA, b.slice(at + 1)));
}

describe("the changes between two short lists", () => {
  it("are as few as possible and leave the same lines between them", () => {
    const lines = fc.array(fc.nat(3), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const whole = { oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length };
        const changes = commonSubsequenceChanges(Int32Array.from(a), Int32Array.from(b), whole);
        const keptOf = (list: readonly number[], isChanged: (index: number) => boolean) =>
          list.filter((_, index) => !isChanged(index));
        const keptOld = keptOf(a, (i) => changes.some((each) => i >= each.oldStart && i < each.oldEnd));
        const keptNew = keptOf(b, (i) => changes.some((each) => i >= each.newStart && i < each.newEnd));
        expect(keptOld).toEqual(keptNew);
        expect(keptOld).toHaveLength(commonLength(a, b));
      }),
    );
  });
});
