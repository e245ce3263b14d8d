// read_file and list_directory on real files. Numbers in brackets are the cases of cases/README.md, letters those
// of cases/filesystem-search.md.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf, Workspace } from "./testing/workspace.ts";

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work[Symbol.dispose]());

describe("read_file", () => {
  it.each([
    ["UTF-8", "a\n", { encoding: "utf-8", has_bom: false, eol: "lf", final_newline: true }],
    [
      "UTF-8 with a mark [4]",
      "\xef\xbb\xbfa",
      { encoding: "utf-8", has_bom: true, eol: "none", final_newline: false },
    ],
    ["UTF-16 LE [5 RD17]", "\xff\xfea\0\r\0\n\0", { encoding: "utf-16le", has_bom: true, eol: "crlf" }],
    ["UTF-16 BE [RD17]", "\xfe\xff\0a\0\n", { encoding: "utf-16be", has_bom: true, eol: "lf" }],
    ["Latin-1", "a\xe9\n", { encoding: "latin1", has_bom: false }],
    ["mixed line endings [RD19]", "a\r\nb\n", { eol: "mixed" }],
  ])("decodes and describes %s", async (_name, bytes, facts) => {
    work.put("f", Buffer.from(bytes, "latin1"));
    const result = await work.run("read_file", { path: "f" });
    expect(result).toMatchObject({ ...facts, start_line: 1, truncated: false });
    expect(String(result["content"])).toMatch(/^ {5}1→aé?(\n {5}2→b)?$/);
  });

  it("says by content and not by name what is binary [RD15]", async () => {
    work.put("notes.bin", "plain text\n");
    work.put("picture.txt", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"));
    expect(await work.run("read_file", { path: "notes.bin" })).toMatchObject({
      content: "     1→plain text",
    });
    expect(await work.failure("read_file", { path: "picture.txt" })).toMatchObject({
      category: "execution_failed",
      details: { media_type: "image/png", size_bytes: 16 },
    });
  });

  it("pages to the end of a file, and of a line of 300,000 characters [12]", async () => {
    work.put("min.js", `${"x".repeat(299_999)}y\n`);
    let seen = "";
    let input: Record<string, unknown> = { path: "min.js", limit: 1 };
    for (let reads = 0; reads < 200; reads++) {
      const result = await work.run("read_file", input);
      seen += /^ *1→(.*)/.exec(String(result["content"]))?.[1];
      if (result["next_column"] === undefined) break;
      expect(result["truncated"]).toBe(true);
      input = { path: "min.js", limit: 1, offset: result["end_line"], column: result["next_column"] };
    }
    expect(seen).toBe(`${"x".repeat(299_999)}y`);
  });

  it.each([
    [{ offset: 500 }, "invalid_arguments", "offset 500 is beyond the end: f has 2 lines"],
    [{ offset: 0 }, "invalid_arguments", "offset: expected whole number of at least 1, got number 0"],
    [{ offset: -1 }, "invalid_arguments", "offset: expected whole number"],
    [{ offset: 1.5 }, "invalid_arguments", "offset: expected whole number"],
    [{ limit: 0 }, "invalid_arguments", "limit: expected whole number of at least 1"],
    [{ column: 9 }, "invalid_arguments", "column 9 is beyond the end of line 1"],
  ])("answers %j clearly [14]", async (page, category, message) => {
    work.put("f", "a\nb\n");
    expect(await work.failure("read_file", { path: "f", ...page })).toMatchObject({
      category,
      message: expect.stringContaining(message),
    });
  });

  it("reads an empty file as one without lines [27]", async () => {
    work.put("f", "");
    expect(await work.run("read_file", { path: "f" })).toMatchObject({
      content: "",
      start_line: 0,
      end_line: 0,
      total_lines: 0,
      truncated: false,
    });
  });

  it("reads the front of a sparse file of 2 GB [RD13], and its end [13]", async () => {
    const path = work.put("big.log", "first\n");
    truncateSync(path, 2 * 1024 * 1024 * 1024);
    // A file of NUL bytes is no text to the detector; the text begins with more than its sample.
    writeFileSync(path, "line\n".repeat(60_000), { flag: "r+" });
    const before = process.memoryUsage().arrayBuffers;
    const front = await work.run("read_file", { path: "big.log", limit: 20 });
    expect(front).toMatchObject({ end_line: 20, next_offset: 21, truncated: true });
    expect(front["total_lines"]).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  it("never opens what is no regular file [15 PJ33]", async () => {
    execFileSync("mkfifo", [join(work.root, "fifo")]);
    symlinkSync("/dev/zero", join(work.root, "zero"));
    const server = createServer().listen(join(work.root, "socket"));
    try {
      for (const [path, category] of [
        ["fifo", "execution_failed"],
        ["zero", "permission_denied"],
        ["socket", "execution_failed"],
        [".", "invalid_arguments"],
      ] as const) {
        for (const [operation, input] of [
          ["read_file", {}],
          ["edit_file", { old_string: "a", new_string: "b" }],
          ["write_file", { content: "x" }],
        ] as const) {
          expect(await work.failure(operation, { path, ...input }), `${operation} ${path}`).toMatchObject({
            category,
          });
        }
      }
    } finally {
      server.close();
    }
  });

  it("says the same of what is outside, whether it exists or not", async () => {
    writeFileSync(join(work.outside, "secret"), "secret");
    symlinkSync(join(work.outside, "secret"), join(work.root, "there"));
    symlinkSync(join(work.outside, "nothing"), join(work.root, "not-there"));
    const words = async (path: string) =>
      (await work.failure("read_file", { path })).message.replaceAll(path, "PATH");
    expect(await words("there")).toBe(await words("not-there"));
    expect(await words(join(work.outside, "secret"))).toBe(await words(join(work.outside, "nothing")));
    expect(await words("../root-outside/secret")).toBe(await words("../root-outside/nothing"));
  });

  it("needs a working directory only for a relative path [65]", async () => {
    const path = work.put("f", "a\n");
    await work.run("read_file", { path });
    for (const workingDirectory of ["", "relative", join(work.root, "gone")]) {
      expect(await work.failureIn(workingDirectory, "read_file", { path: "f" })).toMatchObject({
        category: "invalid_arguments",
      });
    }
  });

  it("leaves no descriptor open, also where it fails", async () => {
    work.put("f", "a\n");
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const before = descriptors();
    for (const path of ["f", "none", ".", "../x", "f/x"]) {
      await work.run("read_file", { path }).catch(() => {});
      await work.run("edit_file", { path, old_string: "a", new_string: "b" }).catch(() => {});
    }
    expect(descriptors()).toBe(before);
  });

  it("renders the page folded, with its place in the file", async () => {
    work.put("f", "a\nb\nc\n");
    const rendered = work.render(await work.run("read_file", { path: "f", offset: 2, limit: 1 }));
    expect(rendered).toMatchObject({
      node: { case: "collapsible", value: { summary: "f, lines 2 to 2 of 3" } },
    });
    expect(textOf(rendered)).toBe("     2→b");
  });
});

describe("list_directory", () => {
  it("lists names in their order with types, sizes and where links lead [LS02]", async () => {
    work.put("b.txt", "12345");
    work.put("a/inner", "1");
    symlinkSync("a", join(work.root, "link"));
    symlinkSync("nothing", join(work.root, "dangling"));
    symlinkSync("/etc/passwd", join(work.root, "escape"));
    const result = await work.run("list_directory", { path: "." });
    expect(result).toMatchObject({
      total: 5,
      truncated: false,
      entries: [
        { name: "a", type: "directory" },
        { name: "b.txt", type: "file", size_bytes: 5 },
        { name: "dangling", type: "link", link_target: "nothing", link_type: "missing" },
        { name: "escape", type: "link", link_type: "unavailable" },
        { name: "link", type: "link", link_target: "a", link_type: "directory" },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("passwd");
    expect(textOf(work.render(result))).toContain("dangling → nothing | link");
  });

  it("goes to a depth, page by page in a stable order", async () => {
    for (const name of ["b/2", "b/1", "a/x/deep", "c"]) work.put(name, "");
    const names = async (input: object) => {
      const { entries, next_offset } = await work.run("list_directory", { path: ".", ...input });
      return { names: (entries as { name: string }[]).map(({ name }) => name), next_offset };
    };
    const all = ["a", "a/x", "a/x/deep", "b", "b/1", "b/2", "c"];
    expect(await names({ depth: 3 })).toEqual({ names: all, next_offset: undefined });
    expect(await names({ depth: 1 })).toEqual({ names: ["a", "b", "c"], next_offset: undefined });
    expect(await names({ depth: 3, limit: 3 })).toEqual({ names: all.slice(0, 3), next_offset: 3 });
    expect(await names({ depth: 3, limit: 3, offset: 6 })).toEqual({
      names: all.slice(6),
      next_offset: undefined,
    });
  });

  it("escapes names that would act on a terminal or are no text [LS04], and keeps plain ones", async () => {
    work.put("\u001b[31m\nred", "");
    work.put("back\\slash", "");
    writeFileSync(Buffer.concat([Buffer.from(`${work.root}/`), Buffer.from([0x66, 0xff])]), "");
    const { entries } = await work.run("list_directory", { path: "." });
    expect(entries).toMatchObject([
      { name: "\\x1b[31m\\x0ared", escaped: true },
      { name: "back\\slash" },
      { name: "f\\xff", escaped: true },
    ]);
  });

  it("leaves hidden names out", async () => {
    using hiding = new Workspace({ hide: [".env", "secrets/**"] });
    for (const name of [".env", "secrets/key", "src/.env", "src/a"]) hiding.put(name, "");
    const { entries } = await hiding.run("list_directory", { path: ".", depth: 5 });
    expect((entries as { name: string }[]).map(({ name }) => name)).not.toContain(".env");
    expect(JSON.stringify(entries)).not.toMatch(/\.env|key/);
  });

  it("warns of a directory it cannot read, and lists the rest", async () => {
    // Nothing can open a directory whose path is longer than the system allows, not even root. It is made by moving
    // one deep tree below another, and taken apart again since it cannot be removed either.
    const levels = (letter: string) => Array.from({ length: 9 }, () => letter.repeat(250)).join("/");
    const [upper, lower] = [join(work.root, levels("d")), join(work.root, levels("e"))];
    mkdirSync(upper, { recursive: true });
    mkdirSync(lower, { recursive: true });
    const [top, below] = [join(work.root, "e".repeat(250)), join(upper, "e".repeat(250))];
    renameSync(top, below);
    try {
      work.put("readable", "");
      const { entries, warnings } = await work.run("list_directory", { path: ".", depth: 32 });
      expect((entries as { name: string }[]).at(-1)).toMatchObject({ name: "readable" });
      expect(warnings).toEqual([expect.stringContaining("longer than 4096 bytes")]);
    } finally {
      renameSync(below, top);
    }
  });

  it.each([
    ["f", "invalid_arguments"],
    ["none", "not_found"],
    ["..", "permission_denied"],
  ])("refuses %s", async (path, category) => {
    work.put("f", "");
    expect(await work.failure("list_directory", { path })).toMatchObject({ category });
  });
});
