// Roots: which can be opened, by which spellings they are found, and what happens when they change.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { openJail } from "./open-jail.ts";
import { platformNames, readText, refusal, Sandbox, unprivileged } from "./testing/sandbox.ts";
import { linuxPlatform } from "./walk-linux.ts";

describe.each(platformNames)("roots on the %s walk", (platform) => {
  it.each([
    ["none", [], "At least one root is needed"],
    ["an empty one", [""], 'The root "" cannot be used: it is not a path'],
    ["one that does not exist", ["ROOT/no"], 'no" cannot be used: it does not exist'],
    ["a file", ["ROOT/file"], 'file" cannot be used: it is not a directory'],
    ["a circle of links", ["ROOT/circle"], "lead in a circle"],
    ["a dangling link", ["ROOT/dangling"], "it does not exist"],
    ["a good one and a bad one", ["ROOT", "ROOT/no"], 'no" cannot be used'],
  ])("cannot be %s", (_, roots, why) => {
    using sandbox = new Sandbox(platform);
    sandbox.file("file");
    sandbox.link("circle", "circle");
    sandbox.link("dangling", "no");
    const error = refusal(() =>
      sandbox.jail({ roots: roots.map((root) => root.replace("ROOT", sandbox.root)) }),
    );
    expect(error.failure).toEqual({ code: "invalid_option", option: "roots" });
    expect(error.message).toContain(why);
  });

  it("cannot be a directory that this process may not enter", () => {
    using sandbox = new Sandbox(platform);
    const inner = sandbox.directory("locked/inner");
    sandbox.lock("locked");
    expect(unprivileged(() => refusal(() => sandbox.jail({ roots: [inner] }))).message).toContain(
      "no permission to enter",
    );
  });

  it("are relative to the base directory", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/f", "x");
    const jail = sandbox.jail({ roots: ["d"], baseDirectory: sandbox.root });
    expect(readText(jail, { path: join(sandbox.root, "d/f") })).toBe("x");
    expect(jail.roots).toEqual([{ path: join(sandbox.root, "d"), realPath: join(sandbox.root, "d") }]);
    expect(refusal(() => sandbox.jail({ roots: ["d"], baseDirectory: "here" })).message).toContain(
      "is not absolute",
    );
    const fromHere = sandbox.jail({ roots: [relative(process.cwd(), sandbox.root)] });
    expect(fromHere.roots[0]?.path).toBe(sandbox.root);
  });

  it.each([
    ["the spelling that was given, a link", "LINK/f"],
    ["the real spelling", "REAL/f"],
    ["another link to it", "OTHER/f"],
    ["a link outside to a directory inside", "INNER/f"],
    ["a way around through the outside", "OUTSIDE/../real%20e\u0301/./f"],
    ["a doubled slash", "/LINK//f"],
    ["a relative path", "f"],
  ])("are found by %s", (_, path) => {
    using sandbox = new Sandbox(platform);
    const real = join(sandbox.base, "real%20e\u0301");
    mkdirSync(join(real, "d"), { recursive: true });
    writeFileSync(join(real, "f"), "here");
    writeFileSync(join(real, "d/f"), "here");
    // Composed where the directory is decomposed: the other spelling leads there as it does on macOS.
    const link = join(sandbox.base, "real%20\u00e9");
    symlinkSync(real, link);
    symlinkSync(real, join(sandbox.base, "other"));
    symlinkSync(join(real, "d"), join(sandbox.base, "inner"));
    const spelled = path
      .replace("LINK", link)
      .replace("REAL", real)
      .replace("OTHER", join(sandbox.base, "other"))
      .replace("INNER", join(sandbox.base, "inner"))
      .replace("OUTSIDE", sandbox.outside);
    const jail = sandbox.jail({ roots: [link] });
    expect(readText(jail, { path: spelled, workingDirectory: link })).toBe("here");
    expect(jail.resolve({ path: spelled, workingDirectory: link }).realPath.startsWith(real)).toBe(true);
  });

  it("do not make a link outside, that leads in, an object inside", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f");
    const link = join(sandbox.base, "link");
    symlinkSync(join(sandbox.root, "f"), link);
    const jail = sandbox.jail();
    expect(jail.stat({ path: link }).kind).toBe("file");
    expect(refusal(() => jail.lstat({ path: link })).code).toBe("outside");
  });

  it("may lie in each other and side by side", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("a/b/f", "deep");
    sandbox.file("c/g", "beside");
    sandbox.link("a/to-c", "../c");
    sandbox.file("hidden");
    const jail = sandbox.jail({
      roots: [join(sandbox.root, "a"), join(sandbox.root, "a/b"), join(sandbox.root, "c")],
    });
    const from = { workingDirectory: join(sandbox.root, "a/b") };
    expect(readText(jail, { path: "../b/f", ...from })).toBe("deep");
    expect(readText(jail, { path: "../../c/g", ...from })).toBe("beside");
    expect(readText(jail, { path: "../to-c/g", ...from })).toBe("beside");
    expect(refusal(() => readText(jail, { path: "../../hidden", ...from })).code).toBe("outside");
    const key = (path: string): string => jail.resolve({ path, ...from }).key;
    expect(key("f")).toBe(key(join(sandbox.root, "a/b/f")));
    expect(jail.toRootRelative(key("f"))).toEqual({ root: join(sandbox.root, "a/b"), relativePath: "f" });
    expect(jail.toRootRelative(join(sandbox.root, "c"))).toEqual({
      root: join(sandbox.root, "c"),
      relativePath: ".",
    });
    expect(jail.toRootRelative(join(sandbox.root, "cc"))).toBeUndefined();
  });

  it("may be the root of the file system, with links in /proc read as text", () => {
    using sandbox = new Sandbox(platform);
    const file = sandbox.file("f", "x");
    const jail = sandbox.jail({ roots: ["/"] });
    expect(readText(jail, { path: `/..${file}` })).toBe("x");
    expect(readText(jail, { path: `../../../../../../../..${file}`, workingDirectory: sandbox.root })).toBe(
      "x",
    );
    expect(jail.resolve({ path: file }).relativePath).toBe(file.slice(1));
  });

  it("are refused once another directory has taken their place, and again usable when it is back", () => {
    using sandbox = new Sandbox(platform);
    const file = sandbox.file("f", "old");
    const jail = sandbox.jail();
    const moved = `${sandbox.root}.moved`;
    renameSync(sandbox.root, moved);
    expect(refusal(() => readText(jail, { path: file })).code).toBe("root_replaced");
    mkdirSync(sandbox.root);
    writeFileSync(file, "new");
    expect(refusal(() => readText(jail, sandbox.at("f"))).failure).toEqual({
      code: "root_replaced",
      root: sandbox.root,
    });
    rmSync(sandbox.root, { recursive: true });
    symlinkSync(sandbox.outside, sandbox.root);
    expect(refusal(() => readText(jail, { path: join(sandbox.root, "secret") })).code).toBe("root_replaced");
    unlinkSync(sandbox.root);
    renameSync(moved, sandbox.root);
    expect(readText(jail, { path: file })).toBe("old");
  });

  it("are closed once, and nothing works afterwards", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f", "x");
    const jail = sandbox.jail();
    using file = jail.openFile(sandbox.at("f"));
    jail[Symbol.dispose]();
    jail[Symbol.dispose]();
    expect(refusal(() => jail.stat(sandbox.at("f"))).code).toBe("closed");
    expect(file.readAll(9).toString()).toBe("x");
  });
});

describe("openJail", () => {
  it("chooses the walk of this system", () => {
    using sandbox = new Sandbox();
    sandbox.file("f", "x");
    using jail = openJail({ roots: [sandbox.root] });
    expect(readText(jail, sandbox.at("f"))).toBe("x");
    expect(jail.readOnly).toBe(false);
  });

  it("refuses to start without /proc, instead of finding nothing later", () => {
    using sandbox = new Sandbox();
    for (const descriptors of ["/nowhere/fd", sandbox.outside]) {
      const error = refusal(() => linuxPlatform(descriptors));
      expect(error.code).toBe("unsupported");
      expect(error.message).toContain("mount /proc");
    }
  });
});
