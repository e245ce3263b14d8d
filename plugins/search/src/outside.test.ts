// Nothing outside of the roots is listed, searched, counted or hinted at: through links, ignore files, or a directory
// that is swapped for a link while ripgrep runs.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

describe("an ignore file that leads out of the roots", () => {
  it.each([".gitignore", "d/.gitignore", "d/.ignore", "d/e/.rgignore"])(
    "%s tells nothing of what it leads to",
    async (name) => {
      using w = new Workspace();
      writeFileSync(join(w.outside, "rules"), "guess-right\nbroken[\n");
      for (const file of ["guess-right", "guess-wrong"]) w.put(`d/e/${file}`, "needle\n");
      w.link(name, join(w.outside, "rules"));
      const expected = ["d/e/guess-right", "d/e/guess-wrong"];
      const listed = await w.run("glob", { pattern: "**/*", sort: "path" });
      expect(listed.matches.map(({ path }) => path)).toEqual(expected);
      expect(listed.warnings).toEqual([
        `Ignore rules were not applied: ${name} is no file inside the allowed directories.`,
      ]);
      for (const mode of ["content", "files", "count"]) {
        const found = await w.run("grep", { pattern: "needle", mode, path: "d" });
        expect([...found.matches, ...found.files].map(({ path }) => path)).toEqual(expected);
        expect(JSON.stringify(found)).not.toContain("broken");
      }
    },
  );

  it("may be a link to a file inside, and then holds", async () => {
    using w = new Workspace();
    w.put(".gitignore", "*.log\n");
    w.put("d/a.log");
    w.put("d/b");
    w.link("d/.ignore", "../.gitignore");
    expect(await w.run("glob", { pattern: "**/*" })).toMatchObject({
      matches: [{ path: "d/b" }],
      warnings: [],
    });
  });

  it("does not make a search wait where it is a FIFO", async () => {
    using w = new Workspace();
    w.put("a", "needle\n");
    execFileSync("mkfifo", [join(w.root, ".gitignore")]);
    expect(await w.paths("glob", { pattern: "*" })).toEqual(["a"]);
    expect(await w.paths("grep", { pattern: "needle" })).toEqual(["a"]);
  });

  it("is nothing of a repository's that lies outside", async () => {
    using w = new Workspace();
    mkdirSync(join(w.outside, "git/info"), { recursive: true });
    writeFileSync(join(w.outside, "git/info/exclude"), "guess\n");
    w.put(".git", `gitdir: ${join(w.outside, "git")}\n`);
    w.put("guess", "needle\n");
    expect(await w.paths("glob", { pattern: "*" })).toEqual(["guess"]);
  });
});

it("errors say the same of what is outside, whether it is there or not", async () => {
  using w = new Workspace();
  symlinkSync(w.outside, join(w.root, "out"));
  writeFileSync(join(w.outside, "there"), "");
  for (const operation of ["glob", "grep"]) {
    const there = await w.failure(operation, { pattern: "x", path: "out/there" });
    const missing = await w.failure(operation, { pattern: "x", path: "out/other" });
    expect(there.message).toBe(missing.message.replace("other", "there"));
  }
});

it("a directory swapped for a link while ripgrep runs gives nothing away [PJ29]", async () => {
  using w = new Workspace();
  for (let index = 0; index < 40; index++) {
    w.put(`sub/inside${index}`, "needle inside\n");
    writeFileSync(join(w.outside, `secret${index}`), "needle secret\n");
    writeFileSync(join(w.outside, `inside${index}`), "needle secret\nneedle\n");
  }
  w.put("other/x", "needle inside\n");
  // A process of its own: the swap goes on while ripgrep and this process work.
  const swapping = spawn(
    "sh",
    ["-c", `while :; do mv sub real; ln -s "${w.outside}" sub; rm sub; mv real sub; done`],
    { cwd: w.root, stdio: "ignore" },
  );
  try {
    for (let round = 0; round < 40; round++) {
      const listed = await w.run("glob", { pattern: "**/*" });
      expect(JSON.stringify(listed)).not.toContain("secret");
      if (listed["total"] !== undefined) expect(listed["total"]).toBeLessThanOrEqual(41);
      const found = await w.run("grep", { pattern: "needle" });
      expect(JSON.stringify([found, w.events])).not.toContain("secret");
      const counted = await w.run("grep", { pattern: "needle", mode: "count" });
      expect(JSON.stringify([counted, w.events])).not.toContain("secret");
      for (const file of counted.files) expect(file["count"]).toBe(1);
    }
  } finally {
    swapping.kill("SIGKILL");
  }
});
