import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align, costOfAll } from "./alignment.ts";
import { closestPassage } from "./closest-passage.ts";
import { likelyPlaces, PLACE_CHARS } from "./word-votes.ts";

describe("an alignment", () => {
  it("is exact where the window holds the passage, and never costs more than to write it anew", () => {
    const part = fc
      .array(fc.constantFrom("a", "b", " ", "\n", "“"), { maxLength: 12 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(part, part, part, (before, passage, after) => {
        const window = before + passage + after;
        const { start, end, cost } = align(passage, window);
        expect(cost).toBe(0);
        expect(window.slice(start, end)).toBe(passage);
        expect(align(passage, before).cost).toBeLessThanOrEqual(costOfAll(passage));
      }),
    );
  });

  it.each([
    ["what looks alike is nearer than what does not", "say 'x'", "say (x) say “x”", "say “x”"],
    ["white space counts less than letters", "a b c", "abc axbxc", "abc"],
  ])("%s", (_name, passage, window, nearest) => {
    const { start, end } = align(passage, window);
    expect(window.slice(start, end)).toBe(nearest);
  });
});

describe("likely places", () => {
  it("are those of rare words, not of common ones", () => {
    const text = "the common words\n".repeat(2_000);
    const at = 1_200 * "the common words\n".length;
    const places = likelyPlaces(
      `${text.slice(0, at)}UNUSUAL ${text.slice(at)}`,
      "the common unusual words",
      3,
    );
    expect(Math.abs((places[0] ?? 0) - at)).toBeLessThan(2 * PLACE_CHARS);
    expect(places).toHaveLength(3);
  });

  it("are told by words that drifted apart as well", () => {
    const decoy = "aaa bbb ccc".padEnd(4 * PLACE_CHARS);
    const drifted = `${" ".repeat(100)}aaa bbb${" ".repeat(200)}ccc ddd`;
    expect(likelyPlaces(decoy + drifted, "aaa bbb ccc ddd", 1)).toEqual([4 * PLACE_CHARS]);
  });

  it("are none where no word is shared", () => {
    expect(likelyPlaces("alpha beta", "gamma", 3)).toEqual([]);
  });
});

describe("the closest passage", () => {
  it("lies within the text, whatever is asked for", () => {
    const words = fc
      .array(fc.constantFrom("foo", "bar", "baz", " ", "\n", "\t", "é", "😀"), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(words, words, (text, wanted) => {
        const passage = closestPassage(text, wanted);
        if (passage === undefined) return;
        expect(passage.start).toBeGreaterThanOrEqual(0);
        expect(passage.start).toBeLessThanOrEqual(passage.end);
        expect(passage.end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
