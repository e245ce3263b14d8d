import { parse } from "@cdktn/hcl2json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Outline, outlineOf } from "./hcl-outline.ts";

/** Names alone, as a tree. */
function names({ attributes, blocks }: Outline): unknown {
  return {
    attributes: attributes.map(({ name, value }) => [name, value]),
    blocks: blocks.map(({ type, labels, body }) => [type, labels, names(body)]),
  };
}

describe("an outline", () => {
  it.each([
    [
      "a = 1 # one\nb = 2 // two\nc = 3 /* three */\n",
      [
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ],
    ],
    ['a = "x # no comment" # but this\n', [["a", '"x # no comment"']]],
    [
      'a = "${f("}")} \\" ${"${x}"}"\nb = 1\n',
      [
        ["a", '"${f("}")} \\" ${"${x}"}"'],
        ["b", "1"],
      ],
    ],
    [
      'a = "$${ not a template"\nb = 1\n',
      [
        ["a", '"$${ not a template"'],
        ["b", "1"],
      ],
    ],
    [
      "a = <<EOT\nb = 2\n} EOT\nEOT\nc = 3\n",
      [
        ["a", "<<EOT\nb = 2\n} EOT\nEOT"],
        ["c", "3"],
      ],
    ],
    [
      "a = <<-EOT\n  b = 2\n  EOT\nc = 3\n",
      [
        ["a", "<<-EOT\n  b = 2\n  EOT"],
        ["c", "3"],
      ],
    ],
    [
      "a = [\n  1, # one\n  2,\n]\nb = (\n  1\n)\n",
      [
        ["a", "[\n  1, # one\n  2,\n]"],
        ["b", "(\n  1\n)"],
      ],
    ],
    [
      "\ufeffa = 1\r\nb = 2\r\n",
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["größe-x = 1\n", [["größe-x", "1"]]],
    ["/* a = 1 */ b = 2", [["b", "2"]]],
  ])("of %j has the attributes as they are written", (source, attributes) => {
    expect(names(outlineOf(source))).toEqual({ attributes, blocks: [] });
  });

  it("has blocks with their labels, and what is in them", () => {
    const source =
      'provider "a" {\n  x = 1\n  inner {\n    y = 2\n  }\n}\nsettings { z = true }\nb c "d e" {}\n';
    expect(names(outlineOf(source))).toEqual({
      attributes: [],
      blocks: [
        [
          "provider",
          ["a"],
          { attributes: [["x", "1"]], blocks: [["inner", [], { attributes: [["y", "2"]], blocks: [] }]] },
        ],
        ["settings", [], { attributes: [["z", "true"]], blocks: [] }],
        ["b", ["c", "d e"], { attributes: [], blocks: [] }],
      ],
    });
  });

  it("knows what is in objects, whatever their separators", () => {
    const [match] = outlineOf(
      'm = { a = 1, "b c" : { d = env("K") }\n (e) = 2\n f = [for x in y : x] }\n',
    ).attributes;
    expect(match?.inner.attributes.map(({ name, value }) => [name, value])).toEqual([
      ["a", "1"],
      ["b c", '{ d = env("K") }'],
      ["", "2"],
      ["f", "[for x in y : x]"],
    ]);
    expect(match?.inner.attributes[1]?.inner.attributes[0]?.value).toBe('env("K")');
  });

  it("knows where everything begins", () => {
    const source = '# comment\n  a = 1\nb "x" {\n  c = { d = 2 }\n}\n';
    const { attributes, blocks } = outlineOf(source);
    expect(attributes[0]?.offset).toBe(source.indexOf("a ="));
    expect(blocks[0]?.offset).toBe(source.indexOf("b "));
    expect(blocks[0]?.body.attributes[0]?.inner.attributes[0]?.offset).toBe(source.indexOf("d ="));
  });

  const name = fc
    .stringMatching(/^[a-z_][a-z0-9_-]{0,6}$/)
    .filter((word) => !["true", "false", "null", "for"].includes(word));
  const comment = fc.constantFrom("", ' # c } " {', " // c ${", ' /* c\n" */');
  const scalar = fc.oneof(
    fc.integer({ min: -99, max: 99 }).map(String),
    fc.constantFrom(
      "true",
      "null",
      '"a # b"',
      '"\\" } {"',
      '"${upper("}")}"',
      '"$${x"',
      '"ü"',
      'env("K")',
      "<<E\n} = {\nE",
    ),
    fc.constantFrom('[1, "]", [2]]', "(1 + 2)", '{ k = "}", l : 1 }', "{\n  k = 1 # }\n}", "[\n]"),
  );
  const attribute = fc.tuple(name, scalar, comment).map(([key, value, end]) => ({
    keys: [key],
    text: `${key} = ${value}${value.startsWith("<<") ? "" : end}\n`,
  }));
  const block = fc.tuple(name, fc.array(attribute, { maxLength: 3 }), comment).map(([type, inner, end]) => ({
    keys: [`block ${type}`],
    text: `block ${type} {${end.startsWith(" #") || end.startsWith(" //") ? end : ""}\n${unique(inner)
      .map(({ text }) => text)
      .join("")}}\n`,
  }));
  function unique<T extends { readonly keys: readonly string[] }>(items: readonly T[]): T[] {
    return items.filter((item, index) => items.findIndex(({ keys }) => keys[0] === item.keys[0]) === index);
  }

  it("has the names that the parser finds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(attribute, block), { maxLength: 6 }), async (items) => {
        const source = unique(items)
          .map(({ text }) => text)
          .join("");
        const parsed = (await parse("file", source)) as Record<string, Record<string, object[]>>;
        const { attributes, blocks } = outlineOf(source);
        const { block: parsedBlocks = {}, ...parsedAttributes } = parsed;
        expect(attributes.map((one) => one.name).sort()).toEqual(Object.keys(parsedAttributes).sort());
        expect(blocks.map(({ labels }) => labels[0]).sort()).toEqual(Object.keys(parsedBlocks).sort());
        for (const { labels, body } of blocks)
          expect(body.attributes.map((one) => one.name).sort()).toEqual(
            Object.keys(parsedBlocks[labels[0] ?? ""]?.[0] ?? {}).sort(),
          );
      }),
      { numRuns: 300 },
    );
  });

  it("of source that is cut anywhere ends", () => {
    const source = 'a = "${f({ b = <<E\nx\nE\n})}"\np "q" { /* c */ r = [1, { s = (2) }] }\n';
    for (let end = 0; end <= source.length; end++) expect(outlineOf(source.slice(0, end))).toBeDefined();
  });
});
