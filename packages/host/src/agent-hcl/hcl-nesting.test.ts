import { parse } from "@cdktn/hcl2json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_NESTING, tooDeepAt } from "./hcl-nesting.ts";

const openers = "[".repeat(MAX_NESTING + 1);

describe("the nesting of source", () => {
  it.each([
    ["in lists", "[", "1", "]"],
    ["in objects", "{a=", "1", "}"],
    ["in brackets", "(", "1", ")"],
    ["in calls", "f(", "", ")"],
    ["in templates", '"${', "1", '}"'],
    ["by operators", "!", "true", ""],
    ["by operators on lines of their own", "-(\n", "1", ")"],
  ])("%s is bounded", (_name, open, core, close) => {
    const source = (times: number): string => `a = ${open.repeat(times)}${core}${close.repeat(times)}\n`;
    expect(tooDeepAt(source(MAX_NESTING / 5))).toBeUndefined();
    const deep = tooDeepAt(source(MAX_NESTING + 1));
    expect(deep).toBeGreaterThan(4);
    expect(deep).toBeLessThanOrEqual(4 + open.length * (MAX_NESTING + 1));
  });

  it.each([
    ["a file", "b {\n", "}\n"],
    ["its labels", '"x" ', ""],
    ["its names", "x ", ""],
  ])("of blocks in %s is bounded", (_name, open, close) => {
    const source = (times: number): string => `b ${open.repeat(times)}{\n}\n${close.repeat(times)}`;
    expect(tooDeepAt(source(50))).toBeUndefined();
    expect(tooDeepAt(source(MAX_NESTING + 1))).toBeDefined();
  });

  it.each([
    ["a line comment", `# ${openers}\n`],
    ["another line comment", `// ${openers}\n`],
    ["a block comment", `/* ${openers}\n${openers} */`],
    ["a string", `a = "${openers} \\" ${openers} $\${ %%{ $ % "\n`],
    ["a heredoc", `a = <<-E\n${openers}\n  $\${ ${openers} "\n  E\nb = 1\n`],
    ["a heredoc without lines", `a = <<E\nE\nb = 1\n`],
  ])("does not count what is in %s", (_name, source) => {
    expect(tooDeepAt(source)).toBeUndefined();
    expect(tooDeepAt(`${source}\na = ${openers}`)).toBe(source.length + 5 + openers.length);
  });

  it.each([
    ["attributes", "a = 1 # one\n"],
    ["blocks", 'b "x" {\n  c = { d = "${e}", f : 1 }\n}\n'],
    ["heredocs", "a = <<E\n${x}\nE\n"],
    ["closing brackets", ")"],
  ])("does not grow with %s one after another", (_name, text) => {
    expect(tooDeepAt(text.repeat(5_000))).toBeUndefined();
  });

  it("does not grow with the items of a list or of an object", () => {
    expect(tooDeepAt(`a = [${'"x", '.repeat(5_000)}]\n`)).toBeUndefined();
    expect(tooDeepAt(`a = {\n${"x = 1\n".repeat(5_000)}}\n`)).toBeUndefined();
  });

  it("is found in a moment in a file of any size", () => {
    for (const text of ["x", '"', '"${', "<<E\n", "/*", "a = <<E\n", "\\", "\n"])
      expect(() => tooDeepAt(text.repeat(Math.floor(1_048_576 / text.length)))).not.toThrow();
  });

  const piece = fc.constantFrom(
    ...'[ ] ( ) { } = , : " ${ %{ $${ ! - ? # // /* */ \\ a b1 1 true env'.split(" "),
    "\n",
    "<<E\n",
    "\nE\n",
    " ",
  );
  it("lets through nothing that ends the parser", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3_000 }),
        async (before, repeated, times) => {
          const source = `a = ${before.join("")}${repeated.join("").repeat(times)}`;
          if (tooDeepAt(source) !== undefined) return;
          const words = await parse("file", source).then(() => "", String);
          expect(words).not.toMatch(/call stack|already exited/);
        },
      ),
      { numRuns: 40 },
    );
  });
});
