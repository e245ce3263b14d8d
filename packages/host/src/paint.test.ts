import { create } from "@bufbuild/protobuf";
import { type RenderNode, ui } from "@pluggableharness/protocol";
import { RenderTreeSchema } from "@pluggableharness/protocol/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PaintOptions, paint } from "./paint.ts";
import { textWidth } from "./text-width.ts";

const show = (root: RenderNode, options: Partial<PaintOptions> = {}) =>
  paint(create(RenderTreeSchema, { root }), { colour: false, columns: 40, ...options });

const hunk = {
  oldStart: 9,
  oldLines: 2,
  newStart: 9,
  newLines: 2,
  lines: [
    { op: "context", text: "same" },
    { op: "remove", text: "old" },
    { op: "add", text: "\tnew" },
  ],
} as const;

describe("paint in plain text", () => {
  it.each<[string, RenderNode, string[]]>([
    ["text", ui.text("one\ntwo", "bold"), ["one", "two"]],
    ["a code block", ui.codeBlock("a\n\tb", "ts"), ["  ts", "│ a", "│     b"]],
    [
      "a diff",
      ui.diff([hunk, { ...hunk, oldStart: 100, newStart: 100 }]),
      [
        "  9   9   same",
        " 10     - old",
        "     10 +     new",
        "⋯",
        "100 100   same",
        "101     - old",
        "    101 +     new",
      ],
    ],
    [
      "a table",
      ui.table(["name", "字"], [["a\nb", "漢字"], ["long name"]]),
      ["name       字", "a⏎b        漢字", "long name"],
    ],
    ["a link", ui.link("docs", "https://x.test"), ["docs (https://x.test)"]],
    ["a link without a text of its own", ui.link("", "https://x.test"), ["https://x.test"]],
    [
      "a list",
      ui.list([ui.text("a"), ui.list([ui.text("b\nc")], { ordered: true })]),
      ["• a", "• 1. b", "     c"],
    ],
    ["a list with an empty item", ui.list([ui.group(), ui.text("b")], { ordered: true }), ["1.", "2. b"]],
    ["a group", ui.group(ui.text("a"), ui.text("b")), ["a", "b"]],
    ["an open collapsible", ui.collapsible("sum", [ui.text("a")]), ["▾ sum", "  a"]],
    [
      "a closed collapsible",
      ui.collapsible("sum", [ui.text("a\nb")], { collapsed: true }),
      ["▸ sum (2 lines)"],
    ],
    [
      "a summary too long for a line",
      ui.collapsible(`a\tb ${"long ".repeat(8)}`, []),
      ["▾ a    b long long long long long long", "  long long "],
    ],
    ["a sub-session", ui.subSession("s-1", "child"), ["⤷ child [session s-1]"]],
    [
      "an action",
      ui.action({ id: "u", label: "Undo", provider: "filesystem", toolName: "undo_edit", args: {} }),
      ["[ Undo ] filesystem.undo_edit"],
    ],
    ["an empty node", {}, ["(nothing to show)"]],
  ])("shows %s", (_name, node, lines) => {
    expect(show(node).split("\n")).toEqual(lines);
  });

  it("unfolds what is folded where it is asked to", () => {
    const folded = ui.collapsible("sum", [ui.text("a")], { collapsed: true });
    expect(show(folded, { unfold: true })).toBe("▾ sum\n  a");
  });

  it("shows a tree without a root as nothing", () => {
    expect(paint(create(RenderTreeSchema), { colour: false })).toBe("(nothing to show)");
  });

  it("takes a number of columns that makes no sense for the smallest", () => {
    for (const columns of [Number.NaN, -1])
      expect(show(ui.text("x".repeat(30)), { columns })).toMatch(/^x{20}\n/);
  });

  it("wraps text between words, and inside one where it must", () => {
    const wrapped = (content: string): string => show(ui.text(content), { columns: 20 });
    expect(wrapped("the quick brown fox jumps")).toBe("the quick brown fox\njumps");
    expect(wrapped("漢".repeat(15))).toBe(`${"漢".repeat(10)}\n${"漢".repeat(5)}`);
  });

  it("cuts the widest cells of a table that is too wide", () => {
    const [head, row] = show(ui.table(["a", "b"], [["x".repeat(100), "short"]]), { columns: 30 }).split("\n");
    expect(row).toBe(`${"x".repeat(22)}…  short`);
    expect(head).toBe(`a${" ".repeat(24)}b`);
  });

  it("shows one cell a line of a table with too many columns", () => {
    const rows = [["cell", "much too long", "3", "4"], ["x"]];
    expect(show(ui.table(["head one", "two", "three", "four"], rows), { columns: 20 })).toBe(
      "head …  cell\ntwo     much too lo…\nthree   3\nfour    4\n────\nhead …  x",
    );
  });

  it("takes as many rows and hunks as a message can hold, in reasonable time", () => {
    const rows = Array.from({ length: 150_000 }, () => []);
    expect(show(ui.table(["a"], rows))).toMatch(/… 148001 more lines$/);
    expect(show(ui.table([], [Array.from({ length: 50_000 }, () => ""), ...rows]))).toMatch(/more lines$/);
    const hunks = Array.from({ length: 150_000 }, () => ({ ...hunk, lines: [] }));
    expect(show(ui.diff(hunks))).toMatch(/… 147999 more lines$/);
    expect(show(ui.text("é".repeat(200_000)))).toMatch(/… 3000 more lines$/);
  });

  it("is bounded in depth and lines", () => {
    let deep: RenderNode = ui.text("bottom");
    for (let level = 0; level < 1_000; level++) deep = ui.group(deep);
    expect(show(deep)).toBe("… (too deep)");
    expect(show(ui.text("x\n".repeat(9)), { maxLines: 3 })).toBe("x\nx\nx\n… 7 more lines");
  });
});

describe("paint in colour", () => {
  it("styles what it shows and resets after it", () => {
    expect(show(ui.text("bad", "error"), { colour: true })).toBe("\u001b[31mbad\u001b[0m");
    expect(show(ui.diff([hunk]), { colour: true })).toContain("\u001b[31m- old\u001b[0m");
  });

  it("links only to places a terminal may open", () => {
    const options = { colour: true, hyperlinks: true };
    expect(show(ui.link("docs", "https://x.test/a"), options)).toBe(
      "\u001b]8;;https://x.test/a\u001b\\\u001b[36mdocs\u001b[0m\u001b]8;;\u001b\\",
    );
    for (const url of ["javascript:alert(1)", "https://x.test/\u001b]0;title\u0007"]) {
      expect(show(ui.link("docs", url), options)).not.toContain("]8;;");
    }
  });
});

describe("whatever a plugin sends", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const cells = fc.array(text, { maxLength: 9 });
  const table = fc
    .tuple(cells, fc.array(cells, { maxLength: 4 }))
    .map(([head, rows]) => ui.table(head, rows));
  const bounded = fc.oneof(
    text.map((content) => ui.text(content, "code")),
    table,
  );
  const node: fc.Arbitrary<RenderNode> = fc.letrec<{ node: RenderNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      bounded,
      fc.tuple(text, text).map(([content, language]) => ui.codeBlock(content, language)),
      fc
        .array(text)
        .map((lines) =>
          ui.diff([{ ...hunk, lines: lines.map((line) => ({ op: "add", text: line }) as const) }]),
        ),
      fc.tuple(text, text).map(([label, url]) => ui.link(label, url)),
      fc.tuple(text, text).map(([id, summary]) => ui.subSession(id, summary)),
      text.map((label) => ui.action({ id: label, label, provider: label, toolName: label, args: {} })),
      fc.array(tie("node"), { maxLength: 3 }).map((items) => ui.list(items, { ordered: true })),
      fc
        .tuple(text, fc.array(tie("node"), { maxLength: 3 }), fc.boolean())
        .map(([summary, inner, collapsed]) => ui.collapsible(summary, inner, { collapsed })),
      fc.constant({}),
    ),
  })).node;
  const acted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

  it("no terminal is made to act on it, and nothing is thrown", () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 1, max: 120 }), (root, columns) => {
        expect(show(root, { columns })).not.toMatch(acted);
        const coloured = show(root, { columns, colour: true, hyperlinks: true });
        expect(coloured.replaceAll(/\u001b\[[\d;]+m|\u001b\]8;;[\u0021-\u007e]*\u001b\\/g, "")).not.toMatch(
          acted,
        );
      }),
    );
  });

  it("texts and tables keep within their columns, however deep they are", () => {
    fc.assert(
      fc.property(bounded, fc.integer({ min: 20, max: 60 }), fc.nat(60), (leaf, columns, levels) => {
        let root = leaf;
        for (let level = 0; level < levels; level++)
          root = level % 2 === 0 ? ui.list([root]) : ui.collapsible("summary", [root]);
        for (const line of show(root, { columns }).split("\n"))
          expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
