import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanHtml } from "./clean-html.ts";
import { markdownOf } from "./markdown-writer.ts";

const markdown = (html: string): string => markdownOf(cleanHtml(html, "http://x.test/").html);

describe("Markdown", () => {
  it.each<[string, string, string]>([
    ["white space as a browser shows it", "<p>  a \n b<b> c </b>d  </p>", "a b **c** d"],
    ["emphasis at words", "<p>a<em> b </em><strong></strong>c</p>", "a *b* c"],
    ["nested emphasis", "<p><b>a <i>b</i></b></p>", "**a *b***"],
    ["a block within emphasis", "<b><p>one</p><p>two</p></b>", "**one**\n\n**two**"],
    [
      "a link around blocks",
      '<a href="/x"><h3>Title</h3><p>words</p></a>',
      "### [Title](http://x.test/x)\n\n[words](http://x.test/x)",
    ],
    ["brackets in a link", '<a href="/a_(b)">x</a>', "[x](http://x.test/a_%28b%29)"],
    ["a link without words", '<p>a<a href="/x"></a>b</p>', "ab"],
    ["a line break", "<p>a<br>b</p>", "a  \nb"],
    ["a rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
    [
      "characters that would mean something",
      "<p>*a* _b_ snake_case [c] `d` \\e</p>",
      "\\*a\\* \\_b\\_ snake_case \\[c\\] \\`d\\` \\\\e",
    ],
    ["a line that would be a heading", "<p># no</p>", "\\# no"],
    ["a line that would be an item", "<p>1. no</p><p>- no</p>", "1\\. no\n\n\\- no"],
    ["code in a line", "<p><code>a*b</code> <code>a`b</code></p>", "`a*b` `` a`b ``"],
    ["an item of several blocks", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n- c"],
    [
      "lists in lists",
      "<ol start=3><li>a<ul><li>b<ol><li>c</ol></ul></li><li>d</ol>",
      "3. a\n   - b\n     1. c\n4. d",
    ],
    ["two lists", "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n- b"],
    [
      "tasks",
      '<ul><li><input type="checkbox" checked>done<li><input type=checkbox>open</ul>',
      "- [x] done\n- [ ] open",
    ],
    ["quotes in quotes", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    ["code in an item", "<ul><li>a<pre>x\n\ny</pre></ul>", "- a\n\n  ```\n  x\n\n  y\n  ```"],
    ["terms", "<dl><dt>a<dd>b</dl>", "a\n\n: b"],
    ["a table without a header", "<table><tr><td>1<td>2</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |"],
    [
      "cells of several lines and columns",
      "<table><tr><th colspan=2>a<tr><td>b<br>c<td>d|e</table>",
      "| a |  |\n| --- | --- |\n| b c | d\\|e |",
    ],
    [
      "a table with links",
      '<table><tr><th>a<tr><td><a href="/x">b</a></table>',
      "| a |\n| --- |\n| [b](http://x.test/x) |",
    ],
    [
      "a table of layout as its contents",
      "<table><tr><td><h2>a</h2><td><ul><li>b</ul></table>",
      "## a\n\n- b",
    ],
    ["an empty table as nothing", "<p>a</p><table><tr><td></table>", "a"],
    ["a heading without its anchor", '<h2><a href="#x">#</a> Title <a href="#x">¶</a></h2>', "## Title"],
    ["a heading that is a link", '<h2><a href="/x">Title</a></h2>', "## [Title](http://x.test/x)"],
    ["end tags too many and too few", "</p></div><b>a</i></b></p><li>b", "**a**\n\n- b"],
  ])("keeps %s", (_name, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it("keeps every word of any nesting, once", () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constant("word "),
        fc
          .tuple(
            fc.constantFrom(
              "div",
              "p",
              "b",
              "a",
              "ul",
              "ol",
              "li",
              "table",
              "tr",
              "td",
              "th",
              "blockquote",
              "pre",
              "code",
              "h2",
              "dd",
              "span",
              "em",
            ),
            fc.array(tie("tree"), { maxLength: 3 }),
          )
          .map(([name, children]) => `<${name}>${children.join("")}</${name}>`),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (parts) => {
        let count = 0;
        const html = parts.join("").replace(/word/g, () => `w${count++}.`);
        const words = markdown(html).match(/w\d+\./g) ?? [];
        // Words of a table beside its cells come before it, as in a browser.
        expect(words.sort()).toEqual(Array.from({ length: count }, (_, at) => `w${at}.`).sort());
      }),
      { numRuns: 500 },
    );
  });

  it("indents twelve levels and no more", () => {
    const deep = markdown(`${"<blockquote>".repeat(200)}words${"</blockquote>".repeat(200)}`);
    expect(deep).toBe(`${"> ".repeat(12)}words`);
    expect(markdown(`${"<ul><li>".repeat(100)}words`).length).toBeLessThan(100);
  });
});
