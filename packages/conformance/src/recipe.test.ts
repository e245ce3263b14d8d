import { describe, expect, it } from "vitest";
import { emptyRecipe, fillIn, parseRecipe } from "./recipe.ts";

describe("a recipe", () => {
  it("that says nothing is the empty one", () => {
    expect(parseRecipe("{}")).toEqual(emptyRecipe);
  });

  it("is read with what was left out filled in", () => {
    const recipe = parseRecipe(
      JSON.stringify({
        config: { roots: ["${scratch}"] },
        http: { "/page.html": "<p>", "/never": null },
        calls: { read: { arguments: { path: "a" }, cancel: { arguments: { path: "b" } } } },
      }),
    );
    expect(recipe.calls["read"]).toEqual({
      arguments: { path: "a" },
      invalid: undefined,
      cancel: { path: "b" },
      setup: [],
      brief: false,
      process: false,
      relative: false,
    });
    expect(recipe.http).toEqual({ "/page.html": "<p>", "/never": null });
  });

  it.each([
    ["[]", "the recipe: expected an object"],
    [
      '{"cfg": {}}',
      'the recipe: unknown field "cfg"; the fields are config, environment, files, http, calls',
    ],
    ['{"files": {"a": 1}}', "files.a: expected a string"],
    ['{"http": {"/": 1}}', "http./: expected a string"],
    ['{"calls": {"read": {"args": {}}}}', 'calls.read: unknown field "args"'],
    ['{"calls": {"read": {"process": "yes"}}}', "calls.read.process: expected true or false"],
    ['{"calls": {"read": {"cancel": {"path": "a"}}}}', 'calls.read.cancel: unknown field "path"'],
    ['{"calls": {"read": {"setup": {}}}}', "calls.read.setup: expected a list of calls"],
    ['{"calls": {"read": {"setup": [{}]}}}', "calls.read.setup[0].operation: expected a string"],
    ["{", "JSON"],
  ])("%s is refused with the field that is wrong", (text, message) => {
    expect(() => parseRecipe(text)).toThrow(message);
  });

  it("has its variables filled in everywhere, and what it does not know left alone", () => {
    const recipe = parseRecipe(
      JSON.stringify({
        config: { roots: ["${scratch}/a"], nested: { url: "${http}/x", count: 1, none: "${HOME}" } },
        calls: {
          fetch: {
            arguments: { url: "${http}/page" },
            invalid: { url: "${http}" },
            setup: [{ operation: "write", arguments: { path: "${scratch}/b" } }],
          },
        },
      }),
    );
    const filled = fillIn(recipe, { scratch: "/s", http: "http://h" });
    expect(filled.config).toEqual({
      roots: ["/s/a"],
      nested: { url: "http://h/x", count: 1, none: "${HOME}" },
    });
    expect(filled.calls["fetch"]).toMatchObject({
      arguments: { url: "http://h/page" },
      invalid: { url: "http://h" },
      setup: [{ operation: "write", arguments: { path: "/s/b" } }],
    });
  });
});
