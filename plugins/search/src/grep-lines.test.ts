// What grep shows of a line: columns, what is cut, and the lines around it. Numbers in brackets name the reported cases.
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("grep shows", () => {
  it.each<[string, string | Buffer, Record<string, unknown>, Record<string, unknown>]>([
    ["ASCII", "ab needle\n", {}, { column: 4, end_column: 10 }],
    ["characters of several bytes", "\u00e9\u{1f600} needle\n", {}, { column: 4, end_column: 10 }],
    ["UTF-16", utf16("\u00e9\u{1f600} needle\n"), {}, { column: 4, end_column: 10 }],
    [
      "Latin-1",
      Buffer.from("\xe9\xe8 needle\n", "latin1"),
      {},
      { column: 4, end_column: 10, encoding: "latin-1" },
    ],
    ["several matches", "needle needle\n", {}, { column: 1, occurrences: 2 }],
    [
      "several lines",
      "xx a\n\u00e9b yy\n",
      { pattern: "a\\n\u00e9b", multiline: true },
      { line: 1, column: 4, end_line: 2, end_column: 3 },
    ],
    ["a match of nothing", "abc\n", { pattern: "$" }, { column: 4, end_column: 4 }],
  ])("columns of %s that count characters", async (_name, content, input, expected) => {
    using w = new Workspace();
    w.put("f", content);
    const { matches } = await w.run("grep", { pattern: "needle", ...input });
    expect(matches).toEqual([expect.objectContaining(expected)]);
  });

  it("a match in a long line, cut around it and marked [GR09]", async () => {
    using w = new Workspace();
    w.put("b.min.js", `${"\u{1f600}".repeat(90_000)}needle${"y".repeat(90_000)}\n`);
    w.put("s.ts", "needle\n");
    const { matches } = await w.run("grep", { pattern: "needle", max_columns: 100 });
    expect(matches).toMatchObject([
      {
        path: "b.min.js",
        line: 1,
        column: 90_001,
        cut_before: expect.any(Number),
        cut_after: expect.any(Number),
      },
      { path: "s.ts", text: "needle" },
    ]);
    const text = String(matches[0]?.["text"]);
    expect(text).toMatch(/^\u{1f600}+needley+$/u);
    expect(text.length).toBeLessThanOrEqual(101);
    expect(Number(matches[0]?.["cut_before"]) + [...text].length + Number(matches[0]?.["cut_after"])).toBe(
      180_006,
    );
  });

  it.each<[string, string, string, string, Record<string, unknown>]>([
    ["of text", "\u00e9", "needle", "y", { column: 2_000_001, end_column: 2_000_007, cut_before: 1_999_953 }],
    ["that matches as a whole", "", "y", "y", { column: 1, end_column: 4_000_002 }],
  ])("a match in a line of megabytes %s", async (_name, left, middle, right, expected) => {
    using w = new Workspace();
    w.put("big", `first\n${left.repeat(2_000_000)}${middle}${right.repeat(4_000_000)}\n`);
    const pattern = middle === "needle" ? "needle" : "y+";
    const { matches } = await w.run("grep", { pattern, max_columns: 100 });
    expect(matches).toMatchObject([{ path: "big", line: 2, ...expected }]);
    expect(String(matches[0]?.["text"])).toContain(middle);
    expect(String(matches[0]?.["text"]).length).toBeLessThanOrEqual(100);
  });

  it("lines around a match, each once and with the right one [GR25]", async () => {
    using w = new Workspace();
    w.put(
      "f",
      Array.from({ length: 30 }, (_, index) =>
        [10, 20, 22].includes(index + 1) ? "hit" : `l${index + 1}`,
      ).join("\n"),
    );
    const { matches } = await w.run("grep", { pattern: "hit", before: 2, after: 2 });
    const numbers = (lines: unknown): number[] =>
      ((lines ?? []) as { line: number }[]).map(({ line }) => line);
    expect(matches.map(({ line, before, after }) => [numbers(before), line, numbers(after)])).toEqual([
      [[8, 9], 10, [11, 12]],
      [[18, 19], 20, [21]],
      [[], 22, [23, 24]],
    ]);
  });

  it("the lines after the last match of a page too [GR27]", async () => {
    using w = new Workspace();
    w.put("f", "hit\na\nb\nc\nhit\nd\n");
    const page = await w.run("grep", { pattern: "hit", after: 2, limit: 1 });
    expect(page).toMatchObject({
      truncated: true,
      next_offset: 1,
      matches: [{ after: [{ text: "a" }, { text: "b" }] }],
    });
    expect(await w.run("grep", { pattern: "hit", after: 2, limit: 2 })).toMatchObject({
      truncated: false,
      total: 2,
    });
  });
});
