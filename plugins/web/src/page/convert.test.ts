// Any tag soup at all becomes text: nothing between the tokenizer, readability and the writer may throw or lose it all.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert } from "./convert.ts";

const prose = "A sentence of some length, with commas, that a reader would want to see. ";
const names =
  "a article b blockquote body br code dd div dl dt em figure form h1 h2 head header html i img input li main nav ol p pre script section span strong style sub svg table tbody td template th thead title tr u ul x-y".split(
    " ",
  );

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names).map((name) => `<${name}>`) },
  { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => `</${name}>`) },
  { weight: 4, arbitrary: fc.constant(prose) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...names)
      .map((name) => `<${name} class="article main x" id='y' href="/z" hidden=1 style=color:red`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "<",
      ">",
      "&",
      "&amp;",
      "&#0;",
      "&#x110000;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?php",
      '"',
      "'",
      "\0",
      "\u2028",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 10 }) },
);

describe("a page of any shape", () => {
  it.each(["markdown", "text"] as const)("becomes %s", async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 5, maxLength: 80 }), async (pieces) => {
        const bytes = new Uint8Array(Buffer.from(pieces.join("")));
        const job = {
          bytes,
          kind: "html",
          charset: "utf-8",
          url: "http://x.test/",
          format,
          isLastResort: false,
        } as const;
        const { text, title } = await convert(job);
        expect(text.isWellFormed() && title.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps words that are plain to see between tags of any order", async () => {
    const visible = names.filter((name) => !/^(?:script|style|svg|template|head|title|x-y)$/.test(name));
    const tag = fc.constantFrom(...visible).chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`));
    await fc.assert(
      fc.asyncProperty(fc.array(tag, { maxLength: 60 }), async (tags) => {
        const html = `<p>${prose.repeat(5)}</p>${tags.join("")}<p>the very end ${prose.repeat(8)}</p>`;
        const bytes = new Uint8Array(Buffer.from(html));
        const job = {
          bytes,
          kind: "html",
          charset: "utf-8",
          url: "http://x.test/",
          format: "text",
          isLastResort: false,
        } as const;
        const { text, textNotes } = await convert(job);
        // What readability leaves out, such as a heading of many words, is told.
        const isTold = textNotes.some((note) => note.startsWith("the main content of the page"));
        expect(isTold || text.replace(/\s+/g, " ").includes("the very end")).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
