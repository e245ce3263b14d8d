// grep on real folders. Numbers in brackets name the reported cases each test stands for.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("grep finds", () => {
  it.each<[string, string, string | Buffer, Record<string, unknown>, string[]]>([
    ["a pattern that begins with a dash [GR01]", "f", "-77\n--flag\na->b\n", { pattern: "-77" }, ["f:1:-77"]],
    [
      "a pattern that looks like an option [GR01]",
      "f",
      "-77\n--flag\n",
      { pattern: "--flag" },
      ["f:2:--flag"],
    ],
    ["an arrow [GR01]", "f", "a->b\n", { pattern: "->" }, ["f:1:a->b"]],
    [
      "flags and classes of ripgrep's own syntax [GR19]",
      "f",
      "FOO\n",
      { pattern: "(?i)foo|[[:alpha:]]{9}|(?P<n>x)" },
      ["f:1:FOO"],
    ],
    [
      "plain text with fixed_strings",
      "f",
      "a.b(\naxb(\n",
      { pattern: "a.b(", fixed_strings: true },
      ["f:1:a.b("],
    ],
    [
      "an end of line before CRLF, which is no text [GR23]",
      "f",
      "foo\r\nfoo2\r\n",
      { pattern: "foo$" },
      ["f:1:foo"],
    ],
    ["spaces of the pattern as they are [GR29]", "f", "  foo\nxfoo\n", { pattern: "  foo" }, ["f:1:  foo"]],
    ["lines by line feeds alone [RD21]", "f", "a\rb\nc\n", { pattern: "c" }, ["f:2:c"]],
    [
      "UTF-16 with its mark [GR11]",
      "f",
      utf16("one\r\ntest \u{1f600} x\r\n"),
      { pattern: "test" },
      ["f:2:test \u{1f600} x"],
    ],
    [
      "Latin-1 where a line is no UTF-8",
      "f",
      Buffer.from("caf\xe9 test\n", "latin1"),
      { pattern: "test" },
      ["f:1:caf\xe9 test"],
    ],
    ["words", "f", "cat\ncats\n", { pattern: "cat", word: true }, ["f:1:cat"]],
    ["small letters in any case by default", "f", "Cat\ncat\n", { pattern: "cat" }, ["f:1:Cat", "f:2:cat"]],
    ["capitals as they are by default", "f", "Cat\ncat\n", { pattern: "Cat" }, ["f:1:Cat"]],
    ["the case that is asked for", "f", "Cat\ncat\n", { pattern: "cat", case: "sensitive" }, ["f:2:cat"]],
    [
      "any case where that is asked for",
      "f",
      "Cat\ncat\n",
      { pattern: "CAT", case: "insensitive" },
      ["f:1:Cat", "f:2:cat"],
    ],
    ["a last line without an end", "f", "a\nb", { pattern: "b" }, ["f:2:b"]],
    ["a match over lines", "f", "a\nb\nc\n", { pattern: "a\\nb", multiline: true }, ["f:1:a\nb"]],
    [
      "text far behind a zero byte [GR13]",
      "f",
      `${"x\n".repeat(5_000)}\0\n${"y\n".repeat(9)}needle\n`,
      { pattern: "needle" },
      ["f:5011:needle"],
    ],
    [
      "names like options and with line feeds",
      "-e\nx",
      "needle\n",
      { pattern: "needle" },
      ["-e\\x0ax:1:needle"],
    ],
    ["nothing, which is a result [GR03]", "f", "a\n", { pattern: "zzz" }, []],
  ])("%s", async (_name, file, content, input, expected) => {
    using w = new Workspace();
    w.put(file, content);
    expect(await w.lines(input)).toEqual(expected);
  });

  it("in one file where path names one, whatever glob says [GR07]", async () => {
    using w = new Workspace();
    w.put("d/a.ts", "x\n");
    w.put("d/b.ts", "x\n");
    expect(await w.lines({ pattern: "x", path: "d/a.ts" })).toEqual(["d/a.ts:1:x"]);
    expect(await w.lines({ pattern: "x", path: join(w.root, "d/a.ts"), glob: "*.md" })).toEqual([
      `${join(w.root, "d/a.ts")}:1:x`,
    ]);
    for (const mode of ["files", "count"])
      expect(await w.run("grep", { pattern: "x", path: "d/a.ts", mode })).toMatchObject({
        total: 1,
        files: [{ path: "d/a.ts" }],
      });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ["a name at any depth", { glob: "*.ts" }, ["a.ts", "d/b.ts"]],
    ["a path", { glob: "d/**" }, ["d/b.ts", "d/c.js"]],
    ["everything but", { glob: "!*.ts" }, ["a[1].py", "d/c.js"]],
    ["a type", { type: "ts" }, ["a.ts", "d/b.ts"]],
    ["a type and a glob, both", { type: "ts", glob: "d/*" }, ["d/b.ts"]],
    ["a literal name with brackets", { glob: "a[1].py" }, ["a[1].py"]],
    ["a glob that does not bring back what is ignored", { glob: "*.log" }, []],
    ["a hidden directory that is written", { glob: ".h/**" }, [".h/x"]],
    ["hidden files", { include_hidden: true, glob: "!*.{ts,js,py}" }, [".gitignore", ".h/x"]],
  ])("in files by %s", async (_name, input, expected) => {
    using w = new Workspace();
    for (const file of ["a.ts", "d/b.ts", "d/c.js", "a[1].py", "e.log", ".h/x", ".git/y"])
      w.put(file, "#needle\n");
    w.put(".gitignore", "*.log\n#needle\n");
    for (const mode of ["content", "files", "count"])
      expect(await w.paths("grep", { pattern: "needle", mode, ...input })).toEqual(expected);
  });

  it("matches in links' targets only where the target is named [GR33 PJ09 GL13]", async () => {
    using w = new Workspace();
    w.put("real/f", "needle\n");
    writeFileSync(join(w.outside, "secret"), "needle\n");
    w.link("lnk", "real");
    w.link("real/up", "..");
    w.link("out", w.outside);
    w.link("secret", join(w.outside, "secret"));
    w.link("a", "b");
    w.link("b", "a");
    expect(await w.lines({ pattern: "needle" })).toEqual(["real/f:1:needle"]);
    expect(await w.lines({ pattern: "needle", path: "lnk" })).toEqual(["lnk/f:1:needle"]);
    for (const path of ["out", "secret", "out/secret", "../root-outside", "/etc/passwd"])
      expect(await w.failure("grep", { pattern: "needle", path })).toMatchObject({
        category: "permission_denied",
      });
    expect(await w.failure("grep", { pattern: "needle", path: "a" })).toMatchObject({
      category: "execution_failed",
    });
  });

  it("text beside FIFOs and sockets, without waiting for them [PJ33]", async () => {
    using w = new Workspace();
    w.put("a.txt", "needle\n");
    execFileSync("mkfifo", [join(w.root, "fifo")]);
    expect(await w.lines({ pattern: "needle" })).toEqual(["a.txt:1:needle"]);
    expect(await w.failure("grep", { pattern: "needle", path: "fifo" })).toMatchObject({
      category: "execution_failed",
    });
  });

  it("a file with a zero byte in every mode [GR13]", async () => {
    using w = new Workspace();
    w.put("log", `${"x\n".repeat(50_000)}\0\nneedle\nneedle\n`);
    expect(await w.lines({ pattern: "needle" })).toEqual(["log:50002:needle", "log:50003:needle"]);
    expect(await w.paths("grep", { pattern: "needle", mode: "files" })).toEqual(["log"]);
    expect(await w.run("grep", { pattern: "needle", mode: "count" })).toMatchObject({
      total: 1,
      total_count: 2,
    });
  });

  it("binary files by name, and shows nothing of them", async () => {
    using w = new Workspace();
    w.put("b.png", Buffer.from("\x89PNG\0\0needle\0\nneedle\n", "latin1"));
    w.put("t", "needle\n");
    const found = await w.run("grep", { pattern: "needle" });
    expect(found).toMatchObject({ matches: [{ path: "t" }], binary_files: ["b.png"], total: 1 });
  });

  it("one binary file by name where path names it", async () => {
    using w = new Workspace();
    w.put("b", Buffer.from("\0needle\n"));
    expect(await w.run("grep", { pattern: "needle", path: "b" })).toMatchObject({
      matches: [],
      binary_files: ["b"],
    });
    expect(await w.run("grep", { pattern: "none", path: "b" })).not.toHaveProperty("binary_files");
  });

  it("nothing that a hide rule covers, and does not count it", async () => {
    using w = new Workspace({ hide: ["*.pem", "private"] });
    for (const file of ["a.pem", "d/private/x", "ok"]) w.put(file, "needle\n");
    for (const mode of ["content", "files", "count"]) {
      const found = await w.run("grep", { pattern: "needle", mode });
      expect(found["total"]).toBe(1);
      expect(JSON.stringify(found)).not.toMatch(/pem|private/);
    }
    expect(await w.failure("grep", { pattern: "x", path: "a.pem" })).toMatchObject({
      category: "permission_denied",
    });
  });
});
