// Pages of glob and grep: the same order on every page, and a word where the tree has changed in between.
import { unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

describe("pages of glob", () => {
  it("go on in the same order, newest first, files of the same time by path", async () => {
    using w = new Workspace();
    const names = Array.from(
      { length: 30 },
      (_, index) => `d${index % 3}/f${String(index).padStart(2, "0")}`,
    );
    for (const [index, name] of names.entries()) {
      const time = 1_000_000 + Math.floor(index / 10);
      utimesSync(w.put(name), time, time);
    }
    const whole = await w.paths("glob", { pattern: "**/*" });
    const byTime = [2, 1, 0].flatMap((tens) => names.slice(tens * 10, tens * 10 + 10).sort());
    expect(whole).toEqual(byTime);
    const paged: string[] = [];
    for (let offset: unknown = 0; offset !== undefined; ) {
      const page = await w.run("glob", { pattern: "**/*", limit: 7, offset });
      expect(page["total"]).toBe(30);
      expect(page.warnings).toEqual([]);
      paged.push(...page.matches.map(({ path }) => String(path)));
      expect(page["truncated"]).toBe(page["next_offset"] !== undefined);
      offset = page["next_offset"];
    }
    expect(paged).toEqual(whole);
  });

  it.each(["path", "modified"])("say so where the tree has changed before them, by %s", async (sort) => {
    using w = new Workspace();
    for (const name of ["a", "b", "c", "d"]) utimesSync(w.put(name), 1_000, 1_000);
    const first = { pattern: "*", sort, limit: 2 };
    expect((await w.run("glob", first))["next_offset"]).toBe(2);
    expect((await w.run("glob", { ...first, offset: 2 })).warnings).toEqual([]);
    unlinkSync(join(w.root, "a"));
    expect((await w.run("glob", { ...first, offset: 2 })).warnings.join()).toMatch(/have changed/);
    expect((await w.run("glob", { ...first, offset: 2 }, { sessionId: "other" })).warnings).toEqual([]);
  });

  it("hold as many as are configured and as many bytes", async () => {
    using w = new Workspace({ max_results: 3, max_output_bytes: 1024 });
    for (let index = 0; index < 20; index++) w.put(`${"x".repeat(200)}${index}`);
    expect(await w.run("glob", { pattern: "*", limit: 100 })).toMatchObject({
      truncated: true,
      next_offset: 3,
    });
    using small = new Workspace({ max_output_bytes: 1024 });
    for (let index = 0; index < 20; index++) small.put(`${"x".repeat(200)}${index}`);
    const page = await small.run("glob", { pattern: "*" });
    expect(page.matches.length).toBeLessThan(5);
    expect(page["next_offset"]).toBe(page.matches.length);
  });

  it("beyond the end are empty", async () => {
    using w = new Workspace();
    w.put("a");
    expect(await w.run("glob", { pattern: "*", offset: 10 })).toMatchObject({
      matches: [],
      total: 1,
      truncated: false,
    });
  });
});

describe("pages of grep", () => {
  it.each(["content", "files", "count"])("go on in the order of paths, in the mode %s", async (mode) => {
    using w = new Workspace();
    const names = Array.from({ length: 40 }, (_, index) => `${["a", "a.b", "a/c"][index % 3]}x/${index}`);
    for (const name of names) w.put(name, "needle 1\nother\nneedle 2\n");
    const whole = await w.run("grep", { pattern: "needle", mode });
    const paged: unknown[] = [];
    for (let offset: unknown = 0; offset !== undefined; ) {
      const page = await w.run("grep", { pattern: "needle", mode, limit: 7, offset });
      expect(page.warnings).toEqual([]);
      expect(page["truncated"]).toBe(page["next_offset"] !== undefined);
      paged.push(...page.matches, ...page.files);
      offset = page["next_offset"];
    }
    expect(paged).toEqual([...whole.matches, ...whole.files]);
    expect(paged).toHaveLength(mode === "content" ? 80 : 40);
  });

  it.each(["content", "files", "count"])(
    "say so where the tree has changed before them, in the mode %s",
    async (mode) => {
      using w = new Workspace();
      for (const name of ["a", "b", "c", "d"]) w.put(name, "needle\n");
      const search = { pattern: "needle", mode, limit: 2 };
      expect(await w.run("grep", search)).toMatchObject({ next_offset: 2 });
      expect((await w.run("grep", { ...search, offset: 2 })).warnings).toEqual([]);
      unlinkSync(join(w.root, "a"));
      expect((await w.run("grep", { ...search, offset: 2 })).warnings.join()).toMatch(/have changed/);
    },
  );

  it("hold so many bytes, and at least one result", async () => {
    using w = new Workspace({ max_output_bytes: 1_024 });
    w.put("f", `needle ${"x".repeat(400)}\n`.repeat(9));
    w.put("g", `needle ${"x".repeat(4_000)}\n`);
    expect(await w.run("grep", { pattern: "needle", path: "f" })).toMatchObject({
      truncated: true,
      next_offset: 2,
    });
    const one = await w.run("grep", { pattern: "needle", path: "g", max_columns: 10_000 });
    expect(one.matches).toHaveLength(1);
  });

  it("count every line of every file", async () => {
    using w = new Workspace();
    w.put("a\n7\nb", "needle\nneedle\n");
    w.put("c", "needle\n");
    expect(await w.run("grep", { pattern: "needle", mode: "count" })).toMatchObject({
      files: [
        { path: "a\\x0a7\\x0ab", count: 2 },
        { path: "c", count: 1 },
      ],
      total: 2,
      total_count: 3,
    });
  });
});
