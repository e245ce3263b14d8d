// What a person sees before and after.

import { describe, expect, it } from "vitest";
import { textOf } from "./testing/text-of.ts";
import { Workspace } from "./testing/workspace.ts";

describe("a preview says in words", () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    [
      "where and what glob looks for",
      "glob",
      { pattern: "**/*.ts", path: "src" },
      "Find files that match **/*.ts in src, without hidden files and files named by ignore rules",
    ],
    [
      "that nothing is left out",
      "glob",
      { pattern: "*", include_hidden: true, respect_ignore: false },
      "Find files that match * in the working directory, hidden and ignored files too",
    ],
    [
      "what grep searches for",
      "grep",
      { pattern: "a.b" },
      "Show lines with a match of a.b, minding case only for capitals, in the working directory, without hidden files and files named by ignore rules",
    ],
    [
      "how grep searches",
      "grep",
      {
        pattern: "a.b",
        fixed_strings: true,
        word: true,
        multiline: true,
        case: "insensitive",
        mode: "count",
        glob: "*.ts",
        type: "ts",
        include_hidden: true,
      },
      "Count lines with the text a.b, as a whole word, over lines, in any case, in the working directory, without files named by ignore rules, only files that match *.ts and files of the type ts",
    ],
  ])("%s", async (_name, operation, input, words) => {
    using w = new Workspace();
    expect(textOf(await w.preview(operation, input))).toBe(words);
  });
});

describe("a render", () => {
  it("shows matches by file with the numbers of their lines and a link", async () => {
    using w = new Workspace();
    w.put("d/a #1.ts", "one\nneedle\nthree\n");
    w.put("d/b.ts", `needle ${"x".repeat(600)}\nneedle\n`);
    const found = await w.run("grep", { pattern: "needle", after: 1 });
    expect(textOf(w.render(found)).split("\n")).toEqual([
      "3 matching lines in 2 files for needle",
      "d/a #1.ts <d/a%20%231.ts>",
      "2:needle",
      "3-three",
      "d/b.ts <d/b.ts>",
      `1:needle ${"x".repeat(493)}…`,
      "2:needle",
    ]);
  });

  it("shows files, counts, warnings, and that there are more", async () => {
    using w = new Workspace({ hide: ["*.pem"] });
    for (const name of ["a", "b", "c"]) w.put(name, "needle\nneedle\n");
    w.put("z", "\0needle");
    const counted = await w.run("grep", { pattern: "needle", mode: "count", limit: 2 });
    expect(textOf(w.render(counted))).toMatch(
      /^2 of 4 files, 7 matching lines for needle, there are more\na <a>\n2\nb <b>\n2$/,
    );
    const content = await w.run("grep", { pattern: "needle" });
    expect(textOf(w.render(content))).toMatch(/z matches but is no text$/);
    const listed = await w.run("glob", { pattern: "*", sort: "path", limit: 1 });
    expect(textOf(w.render(listed))).toBe("1 of 4 files match *, there are more\na <a>");
    const none = await w.run("glob", { pattern: "none" });
    expect(textOf(w.render(none))).toMatch(/^0 of 0 files match none\n\nNot looked at: hidden files/);
  });

  it("gives a name that cannot be shown no link", async () => {
    using w = new Workspace();
    w.put("a\u001b[31m", "needle\n");
    const found = await w.run("grep", { pattern: "needle" });
    expect(textOf(w.render(found))).toContain("\na\\x1b[31m\n1:needle");
  });
});
