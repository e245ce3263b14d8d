import { type Json, type SchemaNode, s } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { hintOf, parseField } from "./field.ts";

const text = s.string("").node;
const mode = s.enum(["ask", "allow", "all"], "").node;
const list = s.array(s.string("")).node;
const deep = s.array(s.object({ a: s.number("") })).node;

describe("what is typed for a field", () => {
  it.each<[SchemaNode, string, Json]>([
    [text, "plain text", "plain text"],
    [text, "  indented ", "  indented "],
    [text, '"two\\nlines"', "two\nlines"],
    [text, '""', ""],
    [text, "3", "3"],
    [mode, "ask", "ask"],
    [mode, "as", "ask"],
    [mode, "all", "all"],
    [s.number("").node, " 3.5 ", 3.5],
    [s.boolean("").node, "Y", true],
    [s.boolean("").node, "false", false],
    [list, "a, b", ["a", "b"]],
    [list, '["a, b"]', ["a, b"]],
    [s.array(s.number("")).node, "1,2", [1, 2]],
    [deep, '[{"a":1}]', [{ a: 1 }]],
    [s.object({ a: s.number("") }).node, '{"a":1}', { a: 1 }],
  ])("%# is %j", (node, typed, value) => {
    expect(parseField(node, typed)).toEqual({ ok: true, value });
  });

  it.each<[SchemaNode, string, string]>([
    [mode, "al", "type one of ask, allow, all"],
    [mode, "", "type one of"],
    [text, '"open', "this is not JSON"],
    [s.number("").node, "three", '"three" is no number'],
    [s.number("").node, "", "is no number"],
    [s.number("").node, "Infinity", "expected number"],
    [s.boolean("").node, "maybe", "type yes or no"],
    [s.array(s.number("")).node, "1,x", '"x" is no number'],
    [list, "[1]", "[0]: expected string, got number 1"],
    [deep, '[{"a":"1"}]', "[0].a: expected number"],
    [deep, "a", "this is not JSON"],
  ])("%# is refused: %j", (node, typed, words) => {
    const outcome = parseField(node, typed);
    expect(outcome.ok ? "" : outcome.problem).toContain(words);
  });

  it("is hinted at", () => {
    expect([text, mode, list, deep, s.boolean("").node].map(hintOf)).toEqual([
      "text",
      "ask | allow | all",
      "list of text, separated by commas",
      "list, as JSON",
      "yes | no",
    ]);
  });
});
