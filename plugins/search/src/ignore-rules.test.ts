// Ignore rules, the same for glob and grep. Numbers in brackets name the reported cases.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

describe("ignore rules", () => {
  it.each<[string, Record<string, string>, string | undefined, string[]]>([
    ["hold outside of a repository", { ".gitignore": "*.log", "a.log": "", b: "" }, undefined, ["b"]],
    ["can be given up", { ".gitignore": "*.log", "a.log": "" }, undefined, []],
    [
      "of the root hold in a directory of it",
      { ".gitignore": "*.log\n/d/x\ny/\n", "d/a.log": "", "d/x": "", "d/y/z": "", "d/ok": "" },
      "d",
      ["d/ok"],
    ],
    [
      "in between hold too, and later ones win",
      {
        ".gitignore": "*.log",
        "d/.gitignore": "!keep.log\n/e/no",
        "d/e/keep.log": "",
        "d/e/other.log": "",
        "d/e/no": "",
      },
      "d/e",
      ["d/e/keep.log"],
    ],
    [
      "in the directory win over those above",
      { ".gitignore": "*.log", "d/.ignore": "!a.log", "d/a.log": "", "d/b.log": "" },
      "d",
      ["d/a.log"],
    ],
    [
      "with ** reach through the searched directory",
      { ".gitignore": "d/**/x\n**/e/y\n", "d/e/x": "", "d/e/y": "", "d/e/z": "" },
      "d/e",
      ["d/e/z"],
    ],
    ["of the repository's exclude file hold", { ".git/info/exclude": "x\n", x: "", y: "" }, undefined, ["y"]],
    ["that name the searched directory do not empty it", { ".gitignore": "d/", "d/a": "" }, "d", ["d/a"]],
    ["know no built-in names [GR15]", { "node_modules/p/j.py": "" }, undefined, ["node_modules/p/j.py"]],
  ])("%s", async (_name, files, path, expected) => {
    using w = new Workspace();
    for (const [file, content] of Object.entries(files)) w.put(file, content);
    const where = path === undefined ? {} : { path };
    expect(await w.paths("glob", { pattern: "**/*", sort: "path", ...where })).toEqual(expected);
    for (const file of Object.keys(files)) w.put(file, `${files[file]}\n#needle`);
    const found = await w.paths("grep", { pattern: "needle", ...where });
    expect(found).toEqual(expected);
  });

  it("can be given up for one call or by configuration", async () => {
    using w = new Workspace({ respect_ignore: false });
    w.put(".gitignore", "*.log");
    w.put("a.log", "x");
    for (const operation of ["glob", "grep"]) {
      const pattern = operation === "glob" ? "*" : "x";
      expect(await w.paths(operation, { pattern })).toEqual(["a.log"]);
      expect(await w.paths(operation, { pattern, respect_ignore: true })).toEqual([]);
    }
  });

  it("above the root have no say, nor have global ones [GR17]", async () => {
    using w = new Workspace();
    for (const name of [".gitignore", ".ignore", ".rgignore"]) writeFileSync(join(w.base, name), "*\n");
    mkdirSync(join(w.base, ".git/info"), { recursive: true });
    writeFileSync(join(w.base, ".git/info/exclude"), "*\n");
    w.put("a.apk", "x");
    w.put("d/b.apk", "x");
    expect(await w.paths("glob", { pattern: "**/*", sort: "path" })).toEqual(["a.apk", "d/b.apk"]);
    expect(await w.paths("grep", { pattern: "x", path: "d" })).toEqual(["d/b.apk"]);
  });

  it("do not hide what an empty result says was not looked at", async () => {
    using w = new Workspace();
    w.put(".gitignore", "a");
    w.put("a");
    expect((await w.run("glob", { pattern: "a" })).warnings.join()).toMatch(
      /include_hidden: true.*respect_ignore: false/,
    );
  });
});
