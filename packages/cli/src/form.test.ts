import { s } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { fillForm } from "./form.ts";

const node = s.object({
  operation: s.literal("edit"),
  limit: s.optional(s.number("How many.")),
  path: s.string("Which file."),
  place: s.object({ line: s.number("Where.") }),
}).node;

/** A person who gives these answers, and then gives up. */
function person(...answers: readonly string[]) {
  const shown: string[] = [];
  const left = [...answers];
  return {
    shown,
    ask: async (prompt: string) => {
      shown.push(prompt);
      return left.shift();
    },
    say: (line: string) => void shown.push(line),
  };
}

describe("a form", () => {
  it("asks for what is required first, and not for what can only be one value", async () => {
    const someone = person("a.txt", "7", "");
    expect(await fillForm(node, someone)).toEqual({ operation: "edit", path: "a.txt", place: { line: 7 } });
    expect(someone.shown).toEqual([
      "  Which file.",
      "  path (text): ",
      "  Where.",
      "  place.line (number): ",
      "  How many.",
      "  limit (number; enter leaves it out): ",
    ]);
  });

  it("asks again until an answer fits", async () => {
    const someone = person("", "a.txt", "", "seven", "7", "3");
    expect(await fillForm(node, someone)).toMatchObject({ place: { line: 7 }, limit: 3 });
    expect(someone.shown).toContain('  type a value, or "" for an empty text');
    expect(someone.shown).toContain('  "seven" is no number');
  });

  it("keeps what is there where nothing is typed", async () => {
    const current = { path: "a.txt", place: { line: 7 }, limit: 3 };
    const someone = person("", "", "-");
    expect(await fillForm(node, someone, current)).toEqual({
      operation: "edit",
      path: "a.txt",
      place: { line: 7 },
    });
    expect(someone.shown).toContain('  path (text; enter keeps "a.txt"): ');
    expect(someone.shown).toContain("  limit (number; enter keeps 3; - leaves it out): ");
  });

  it("is given up where the person gives up, at any depth", async () => {
    expect(await fillForm(node, person())).toBeUndefined();
    expect(await fillForm(node, person("a.txt"))).toBeUndefined();
  });

  it("shows nothing that a terminal would obey", async () => {
    const hostile = s.object({ path: s.string("\u001b[2J") }).node;
    const someone = person("x");
    await fillForm(hostile, someone);
    expect(someone.shown.join("")).not.toContain("\u001b");
  });
});
