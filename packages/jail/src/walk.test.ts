// What is inside and what is not: the tricks that let paths out of other tools, on both walks.
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { platformNames, readText, refusal, Sandbox } from "./testing/sandbox.ts";

describe.each(platformNames)("the %s walk", (platform) => {
  it.each([
    ["a plain name", "f.txt"],
    ["a dot", "./f.txt"],
    ["a way down and up", "d/e/../../f.txt"],
    ["doubled slashes", ".//d//../f.txt"],
    ["a link to a file", "link"],
    ["a link to a link", "link2"],
    ["a link to a directory", "into/../f.txt"],
    ["a link with an absolute target", "absolute"],
    ["out of the root and in again", "../root/f.txt"],
    ["a link below a link", "dot/../f.txt"],
  ])("reads through %s", (_, path) => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f.txt", "content");
    sandbox.directory("d/e");
    sandbox.link("link", "f.txt");
    sandbox.link("link2", "./d/../link");
    sandbox.link("into", "d");
    sandbox.link("dot", "into");
    sandbox.link("absolute", join(sandbox.root, "f.txt"));
    expect(readText(sandbox.jail(), sandbox.at(path))).toBe("content");
  });

  it("takes `..` after a link from where the link leads, as the kernel does", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("real/s.json", "target");
    sandbox.file("s.json", "wrong");
    sandbox.directory("real/h");
    sandbox.link("real/h/s.json", "../s.json");
    sandbox.link("sy", "real/h");
    sandbox.link("dot", "sy");
    const jail = sandbox.jail();
    expect(readText(jail, sandbox.at("dot/s.json"))).toBe("target");
    expect(readText(jail, sandbox.at("dot/../s.json"))).toBe("target");
    jail.replaceFile(sandbox.at("dot/s.json"), Buffer.from("edited"));
    expect(sandbox.content("real/s.json")).toBe("edited");
    expect(jail.lstat(sandbox.at("dot/s.json")).kind).toBe("link");
  });

  it.each([
    ["..", "../outside/secret"],
    ["a way down and further up", "a/../../outside/secret"],
    ["dots and slashes", "./..//..//..//etc/passwd"],
    ["an absolute path", "/etc/passwd"],
    ["an absolute path that does not exist", "/nowhere/at/all"],
    ["a link out, by a relative target", "relative/secret"],
    ["a link out, by an absolute target", "absolute/secret"],
    ["a link out to a file", "file"],
    ["a chain of links that leads out", "chain"],
    ["a dangling link out", "dangling"],
    ["/proc/self/root through a link", "magic/etc/passwd"],
    ["/proc/self/fd through a link", "descriptor"],
    ["/proc/self/cwd through a link", "cwd/x"],
    ["an empty walk above the root", ".."],
  ])("refuses %s", (_, path) => {
    using sandbox = new Sandbox(platform);
    sandbox.directory("a");
    sandbox.link("relative", "../outside");
    sandbox.link("absolute", sandbox.outside);
    sandbox.link("file", "../outside/secret");
    sandbox.link("chain", "chain2");
    sandbox.link("chain2", "../outside/none");
    sandbox.link("dangling", "../outside/none");
    sandbox.link("magic", "/proc/self/root");
    sandbox.link("descriptor", "/proc/self/fd/0");
    sandbox.link("cwd", "/proc/self/cwd");
    const jail = sandbox.jail();
    const bytes = Buffer.from("x");
    expect(refusal(() => jail.openFile(sandbox.at(path))).code).toBe("outside");
    expect(refusal(() => jail.stat(sandbox.at(path))).code).toBe("outside");
    expect(refusal(() => jail.openDirectory(sandbox.at(path))).code).toBe("outside");
    expect(refusal(() => jail.createFile(sandbox.at(path), bytes)).code).toBe("outside");
    expect(refusal(() => jail.replaceFile(sandbox.at(path), bytes)).code).toBe("outside");
    expect(refusal(() => jail.createDirectory(sandbox.at(path))).code).toBe("outside");
    expect(refusal(() => jail.removeFile(sandbox.at(path))).code).toBe("outside");
    expect(refusal(() => jail.resolve(sandbox.at(path))).code).toBe("outside");
  });

  it("says the same words about what is outside, whether it exists or not, and never where a link leads", () => {
    using sandbox = new Sandbox(platform);
    sandbox.link("to", "../outside");
    const jail = sandbox.jail();
    const words = (path: string): string =>
      refusal(() => jail.openFile(sandbox.at(path))).message.replace(path, "PATH");
    expect(words("../outside/secret")).toBe(words("../outside/missing"));
    expect(words("to/secret")).toBe(words("to/missing/deeper"));
    expect(words("to/secret")).toBe(words("/etc/passwd"));
    expect(words("to/secret")).not.toContain(sandbox.outside);
  });

  it("compares whole names: a sibling whose name begins like the root's is outside", () => {
    using sandbox = new Sandbox(platform);
    mkdirSync(`${sandbox.root}-secrets`);
    writeFileSync(`${sandbox.root}-secrets/key`, "key");
    const jail = sandbox.jail();
    for (const path of [`${sandbox.root}-secrets/key`, "../root-secrets/key", `${sandbox.root}2`]) {
      expect(refusal(() => jail.openFile(sandbox.at(path))).code).toBe("outside");
      expect(refusal(() => jail.createFile(sandbox.at(path), Buffer.from("x"))).code).toBe("outside");
    }
  });

  it("treats a file in the middle of a path as the kernel does", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f.txt");
    sandbox.file("g.txt");
    const jail = sandbox.jail();
    for (const path of ["f.txt/../g.txt", "f.txt/.", "f.txt/", "f.txt/x"]) {
      expect(refusal(() => jail.openFile(sandbox.at(path))).code).toBe("not_a_directory");
      expect(refusal(() => jail.createFile(sandbox.at(path), Buffer.from("x"))).code).toMatch(
        /not_a_directory|is_a_directory/,
      );
    }
    expect(sandbox.names()).toEqual(["f.txt", "g.txt"]);
  });

  it("ends a circle of links with link_loop, and follows 40 links but not 41", () => {
    using sandbox = new Sandbox(platform);
    sandbox.link("a", "b");
    sandbox.link("b", "a");
    sandbox.link("self", "self/x");
    sandbox.file("l0", "end");
    for (let index = 1; index <= 41; index++) sandbox.link(`l${index}`, `l${index - 1}`);
    const jail = sandbox.jail();
    expect(refusal(() => jail.openFile(sandbox.at("a"))).code).toBe("link_loop");
    expect(refusal(() => jail.openFile(sandbox.at("self"))).code).toBe("link_loop");
    expect(readText(jail, sandbox.at("l40"))).toBe("end");
    expect(refusal(() => jail.openFile(sandbox.at("l41"))).code).toBe("link_loop");
  });

  it("bounds the work that links of many names can cause, nested or one after the other", () => {
    using sandbox = new Sandbox(platform);
    for (let index = 0; index < 39; index++)
      sandbox.link(`n${index}`, `n${index + 1}/${"../root/".repeat(500)}`);
    sandbox.link("n39", ".");
    sandbox.link("many", "../root/".repeat(500));
    const jail = sandbox.jail();
    expect(refusal(() => jail.openFile(sandbox.at("n0/x"))).message).toContain("more than 8192 names");
    expect(refusal(() => jail.openFile(sandbox.at("many/".repeat(20)))).message).toContain(
      "more than 8192 names",
    );
    expect(jail.stat(sandbox.at("many/".repeat(8))).kind).toBe("directory");
  });

  it.each([
    "~",
    "~/x",
    "%2e%2e",
    "report%202026.txt",
    "C:\\x",
    "\\\\srv\\share",
    "a:stream",
    "name.",
    "name ",
    "CON",
    "@types",
    "file:///etc",
    "a\nb",
    "-rf",
    "*",
    "[id]",
    "cafe\u0301",
  ])("takes %j as a plain name on Linux and macOS", (name) => {
    using sandbox = new Sandbox(platform);
    const jail = sandbox.jail();
    jail.createFile(sandbox.at(`${name}/file`), Buffer.from("here"));
    expect(readText(jail, sandbox.at(`${name}/file`))).toBe("here");
    expect(sandbox.names()).toEqual([name.split("/")[0]]);
  });

  it("gives one key to every spelling of one file, also before it exists", () => {
    using sandbox = new Sandbox(platform);
    sandbox.directory("d");
    sandbox.link("to", "d/new/a.txt");
    sandbox.link("l", "d");
    const jail = sandbox.jail();
    const spellings = [
      "d/new/a.txt",
      "./d/new/./a.txt",
      "to",
      "l/new/a.txt",
      join(sandbox.root, "d/new/a.txt"),
    ];
    const keys = (): Set<string> => new Set(spellings.map((path) => jail.resolve(sandbox.at(path)).key));
    expect(keys()).toEqual(new Set([join(sandbox.root, "d/new/a.txt")]));
    expect(jail.resolve(sandbox.at("to")).exists).toBe(false);
    jail.createFile(sandbox.at("to"), Buffer.from("x"));
    expect(keys().size).toBe(1);
    expect(jail.resolve(sandbox.at("to"))).toEqual({
      requested: "to",
      realPath: join(sandbox.root, "d/new/a.txt"),
      root: sandbox.root,
      relativePath: "d/new/a.txt",
      key: join(sandbox.root, "d/new/a.txt"),
      exists: true,
    });
  });

  it("sees a link that is changed between two uses", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/f", "inside");
    const link = sandbox.link("l", "d");
    const jail = sandbox.jail();
    expect(readText(jail, sandbox.at("l/f"))).toBe("inside");
    unlinkSync(link);
    symlinkSync(sandbox.outside, link);
    expect(refusal(() => jail.openFile(sandbox.at("l/secret"))).code).toBe("outside");
    rmSync(link);
    expect(refusal(() => jail.openFile(sandbox.at("l/f"))).code).toBe("not_found");
  });

  it("names what is missing on the way", () => {
    using sandbox = new Sandbox(platform);
    sandbox.directory("src");
    const error = refusal(() => sandbox.jail().openFile(sandbox.at("src/util/x.ts")));
    expect(error.code).toBe("not_found");
    expect(error.message).toBe(
      '"src/util/x.ts" does not exist (there is no "util" on the way); check the spelling or list the directory.',
    );
    expect(refusal(() => sandbox.jail().openFile(sandbox.at("no/../src"))).code).toBe("not_found");
  });
});
