import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { s } from "./schema.ts";
import { MAX_PROBLEMS, problemsInWords, validate } from "./validate.ts";

const schema = s.object({
  path: s.string("File."),
  limit: s.optional(s.integer("Lines.", { min: 1, max: 100 })),
  mode: s.optional(s.enum(["content", "count"], "Mode.")),
  edits: s.optional(s.array(s.object({ old_string: s.string("Old."), all: s.optional(s.boolean("All.")) }))),
  ratio: s.optional(s.number("Ratio.")),
});

describe("validate", () => {
  it.each([
    ["a missing property", {}, "path: required string is missing"],
    ["null", { path: null }, "path: expected string, got null; leave the property out instead"],
    [
      "a number as a string",
      { path: "a", limit: "3" },
      'limit: expected whole number from 1 to 100, got string "3"',
    ],
    ["a string as a number", { path: 3 }, "path: expected string, got number 3"],
    ["a fraction", { path: "a", limit: 1.5 }, "limit: expected whole number from 1 to 100, got number 1.5"],
    [
      "a number below the range",
      { path: "a", limit: 0 },
      "limit: expected whole number from 1 to 100, got number 0",
    ],
    [
      "a number above the range",
      { path: "a", limit: 101 },
      "limit: expected whole number from 1 to 100, got number 101",
    ],
    ["not a number", { path: "a", ratio: Number.NaN }, "ratio: expected number, got number NaN"],
    [
      "a word that is not listed",
      { path: "a", mode: "all" },
      'mode: expected one of "content", "count", got string "all"',
    ],
    ["an object for an array", { path: "a", edits: {} }, "edits: expected array, got object"],
    ["an array for an object", { path: "a", edits: [[]] }, "edits[0]: expected object, got array"],
    [
      "a wrong value deep inside",
      { path: "a", edits: [{ old_string: "x" }, { old_string: "y", all: "yes" }] },
      'edits[1].all: expected boolean, got string "yes"',
    ],
    ["no object at all", "path", 'arguments: expected object, got string "path"'],
    ["an inherited name", Object.create({ path: "a" }), "path: required string is missing"],
  ])("refuses %s with the exact path", (_name, value, words) => {
    expect(problemsInWords(validate(schema.node, value), "arguments")).toBe(words);
  });

  it.each([
    ["unknown properties", { path: "a", extra: null }],
    ["an empty string", { path: "" }],
    [
      "every property",
      { path: "a", limit: 100, mode: "count", edits: [{ old_string: "", all: false }], ratio: -0.5 },
    ],
  ])("accepts %s", (_name, value) => {
    expect(validate(schema.node, value)).toEqual([]);
  });

  it("collects a bounded number of problems and quotes a bounded part of each", () => {
    const edits = Array.from({ length: 1_000 }, () => ({ old_string: 1 }));
    const problems = validate(schema.node, { path: "a", edits });
    expect(problems).toHaveLength(MAX_PROBLEMS);
    const long = problemsInWords(
      validate(schema.node, { path: "a", mode: "x".repeat(10_000_000) }),
      "arguments",
    );
    expect(long.length).toBeLessThan(200);
  });

  it("writes names that are no identifiers in quotes", () => {
    const odd = s.object({ "a b": s.string("Odd.") });
    expect(problemsInWords(validate(odd.node, {}), "value")).toBe('"a b": required string is missing');
  });

  it("never throws, whatever the value", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) =>
        Array.isArray(validate(schema.node, value)),
      ),
    );
  });

  it("accepts exactly the strings of a map", () => {
    const map = s.map("Variables.").node;
    expect(validate(map, { A: "1" })).toEqual([]);
    expect(problemsInWords(validate(map, { A: 1 }), "env")).toBe("A: expected string, got number 1");
  });
});
