// glob on real folders. Numbers in brackets name the reported cases each test stands for.
import { chmodSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

describe("glob finds", () => {
  it.each<[string, string[], string, string[]]>([
    ["names in the directory itself", ["a.ts", "d/b.ts"], "*.ts", ["a.ts"]],
    ["names at any depth", ["a.ts", "d/e/b.ts", "c.js"], "**/*.ts", ["a.ts", "d/e/b.ts"]],
    ["a plain name", ["a.ts", "d/a.ts"], "d/a.ts", ["d/a.ts"]],
    ["what is below a directory", ["d/a", "d/e/b", "x"], "d/**", ["d/a", "d/e/b"]],
    ["one of several", ["a.ts", "a.js", "a.md"], "*.{ts,js}", ["a.js", "a.ts"]],
    ["braces over directories", ["s/a", "t/a", "u/a"], "{s,t}/**", ["s/a", "t/a"]],
    ["nested braces and ranges", ["a1", "a2", "bx", "by"], "{a{1..2},b{x,y}}", ["a1", "a2", "bx", "by"]],
    ["a class and a negated class", ["a1", "b1", "c1"], "[!a][0-9]", ["b1", "c1"]],
    ["one character, also outside of the BMP", ["a", "\u{1f600}", "ab"], "?", ["a", "\u{1f600}"]],
    ["everything else after a ! [GL09]", ["a.ts", "b.js", "d/c.ts"], "!**/*.ts", ["b.js"]],
    [
      "a written dot directory [GL01]",
      [".claude/settings.json", "a"],
      ".claude/**/*",
      [".claude/settings.json"],
    ],
    [
      "the literal name before a class [GL03]",
      ["app/[id]/page.tsx", "app/x/page.tsx"],
      "app/[id]/page.tsx",
      ["app/[id]/page.tsx"],
    ],
    ["brackets that are no class [GL05]", ["s/[[...in]]/p.js"], "**/[[...in]]/p.js", ["s/[[...in]]/p.js"]],
    ["parentheses, signs and dollars as themselves", ["(g)/+p@$!.ts"], "(g)/+p@$!.ts", ["(g)/+p@$!.ts"]],
    ["the name with braces and those they stand for", ["{a,b}", "a", "b"], "{a,b}", ["a", "b", "{a,b}"]],
    ["a name with a star by an escape", ["a*b", "axb"], "a\\*b", ["a*b"]],
    ["a name with a leading ! by an escape", ["!x", "x"], "\\!x", ["!x"]],
    ["a name that looks like an option", ["-e", "--files"], "-*", ["--files", "-e"]],
    ["names in no known encoding by wildcards", ["ok"], "**/*", ["ok"]],
    ["nothing hidden by wildcards", [".env", "d/.x/y", "d/z"], "**/*", ["d/z"]],
  ])("%s", async (_name, files, pattern, expected) => {
    using w = new Workspace();
    for (const file of files) w.put(file);
    expect(await w.paths("glob", { pattern, sort: "path" })).toEqual(expected);
  });

  it("hidden files where they are asked for, but no repository's own", async () => {
    using w = new Workspace();
    for (const file of [".env", ".git/config", "d/.x/y", "z"]) w.put(file);
    const all = { pattern: "**/*", sort: "path", include_hidden: true };
    expect(await w.paths("glob", all)).toEqual([".env", "d/.x/y", "z"]);
    expect(await w.paths("glob", { pattern: ".git/*" })).toEqual([".git/config"]);
    expect(await w.paths("glob", { pattern: "*", path: ".git" })).toEqual([".git/config"]);
  });

  it("capitals only where case does not matter [GL15]", async () => {
    using w = new Workspace();
    w.put("README.MD");
    expect(await w.paths("glob", { pattern: "*.md" })).toEqual([]);
    expect(await w.paths("glob", { pattern: "*.md", case: "insensitive" })).toEqual(["README.MD"]);
  });

  it("files of a root whose name is a pattern itself [GL07]", async () => {
    using w = new Workspace({}, "Dropbox (Personal) [p] {x,y} *");
    w.put("a.ts");
    w.put("d/b.ts");
    expect(await w.paths("glob", { pattern: "**/*.ts", sort: "path" })).toEqual(["a.ts", "d/b.ts"]);
    expect(await w.paths("glob", { pattern: "*.ts", path: join(w.root, "d") })).toEqual([
      join(w.root, "d/b.ts"),
    ]);
  });

  it("files by an absolute pattern that begins inside, and refuses one that does not [GL17]", async () => {
    using w = new Workspace();
    w.put("d/a.ts");
    writeFileSync(join(w.outside, "x.ts"), "");
    expect(await w.paths("glob", { pattern: join(w.root, "d/*.ts") })).toEqual([join(w.root, "d/a.ts")]);
    for (const [pattern, category] of [
      ["../root-outside/*.ts", "invalid_arguments"],
      ["d/../../root-outside/*.ts", "invalid_arguments"],
      ["{..,d}/*.ts", "invalid_arguments"],
      [join(w.outside, "*.ts"), "permission_denied"],
      ["/etc/*", "permission_denied"],
      ["/*", "permission_denied"],
    ]) {
      expect(await w.failure("glob", { pattern })).toMatchObject({ category });
    }
  });

  it.each([
    ["", "empty"],
    ["a\0b", "NUL"],
    ["x".repeat(5_000), "longer than"],
    ["{1..300}", "more than 256"],
    ["!", "names nothing"],
  ])("nothing by %j, and says why", async (pattern, words) => {
    using w = new Workspace();
    const failure = await w.failure("glob", { pattern });
    expect(failure).toMatchObject({ category: "invalid_arguments" });
    expect(failure.message).toMatch(/^pattern: /);
    expect(failure.message).toContain(words);
  });

  it("nothing through links, loops among them, and good files beside a dangling one [GL11 GL13 PJ09]", async () => {
    using w = new Workspace();
    w.put("loop/a.ts");
    w.link("loop/child", "..");
    w.link("x", "y");
    w.link("y", "x");
    w.link("none.ts", "nowhere");
    w.link("out", w.outside);
    writeFileSync(join(w.outside, "secret.ts"), "");
    expect(await w.paths("glob", { pattern: "**/*.ts" })).toEqual(["loop/a.ts"]);
    expect(await w.failure("glob", { pattern: "*", path: "out" })).toMatchObject({
      category: "permission_denied",
    });
    expect(await w.failure("glob", { pattern: "*", path: "x" })).toMatchObject({
      category: "execution_failed",
    });
  });

  it("files below a link that is named, in the caller's spelling [GR33 PJ15]", async () => {
    using w = new Workspace();
    w.put("real/a.ts");
    w.link("lnk", "real");
    expect(await w.paths("glob", { pattern: "*.ts", path: "lnk" })).toEqual(["lnk/a.ts"]);
    expect(await w.paths("glob", { pattern: "*.ts", path: "./lnk/" })).toEqual(["lnk/a.ts"]);
    symlinkSync(w.root, join(w.base, "root-link"));
    using byLink = new Workspace({ roots: [join(w.base, "root-link")] });
    const options = { workingDirectory: w.root };
    for (const path of [join(w.base, "root-link"), w.root])
      expect(await byLink.paths("glob", { pattern: "real/*", path }, options)).toEqual([
        join(path, "real/a.ts"),
      ]);
  });

  it("names that cannot be shown, escaped and marked", async () => {
    using w = new Workspace();
    writeFileSync(
      Buffer.concat([Buffer.from(`${w.root}/bad`), Buffer.of(0xff, 0x0a, 0x1b), Buffer.from(".ts")]),
      "",
    );
    const { matches } = await w.run("glob", { pattern: "*.ts" });
    expect(matches).toMatchObject([{ path: "bad\\xff\\x0a\\x1b.ts", escaped: true, size_bytes: 0 }]);
  });

  it("nothing that a hide rule covers", async () => {
    using w = new Workspace({ hide: ["*.pem", "private"] });
    for (const file of ["a.pem", "d/private/x", "d/PRIVATE2", "d/ok"]) w.put(file);
    const found = await w.run("glob", { pattern: "**/*", sort: "path" });
    expect(found.matches.map(({ path }) => path)).toEqual(["d/PRIVATE2", "d/ok"]);
    expect(found["total"]).toBe(2);
  });

  it("a directory only, and says so of a file", async () => {
    using w = new Workspace();
    w.put("a.ts");
    const failure = await w.failure("glob", { pattern: "*", path: "a.ts" });
    expect(failure).toMatchObject({ category: "invalid_arguments" });
    expect(failure.message).toContain("is a file");
  });
});

it("glob tells size and time of a file, and an unreadable directory is no failure [GL11]", async () => {
  using w = new Workspace();
  utimesSync(w.put("a", "12345"), 1_000_000_000, 1_000_000_000);
  chmodSync(join(w.root, "a"), 0o000);
  const { matches } = await w.run("glob", { pattern: "*" });
  expect(matches).toEqual([{ path: "a", size_bytes: 5, modified: "2001-09-09T01:46:40.000Z" }]);
});
