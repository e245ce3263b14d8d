// hide and protect: on names, on what links lead to, on every part of the way, whatever the case.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { platformNames, readText, refusal, Sandbox } from "./testing/sandbox.ts";

describe.each(platformNames)("rules on the %s walk", (platform) => {
  it.each([
    ".git",
    ".git/config",
    "sub/.GIT/config",
    "sub/.git/hooks/new/pre-commit",
    "to-git/config",
    "config",
    ".Git",
    ".git/../sub/x",
  ])("protect %s from every change by default, and let it be read", (path) => {
    using sandbox = new Sandbox(platform);
    sandbox.file(".git/config", "config");
    sandbox.file("sub/.GIT/config", "config");
    sandbox.directory("sub/.git");
    sandbox.link("to-git", ".git");
    sandbox.link("config", "to-git/config");
    sandbox.file("sub/x");
    const before = sandbox.names(".git");
    const jail = sandbox.jail();
    const request = sandbox.at(path);
    for (const act of [
      () => jail.createFile(request, Buffer.of(1)),
      () => jail.replaceFile(request, Buffer.of(1)),
      () => jail.createDirectory(request),
      () => jail.removeFile(request),
      () => jail.removeDirectory(request),
    ]) {
      expect(refusal(act).failure).toEqual({ code: "protected", rule: ".git" });
    }
    expect(sandbox.names(".git")).toEqual(before);
    if (jail.resolve(request).exists && jail.stat(request).kind === "file")
      expect(readText(jail, request)).toMatch(/config|x/);
  });

  it("protect the .git file of a worktree, but not names that only resemble it", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("tree/.git", "gitdir: ../.git/worktrees/tree");
    const jail = sandbox.jail();
    expect(refusal(() => jail.replaceFile(sandbox.at("tree/.git"), Buffer.of(1))).code).toBe("protected");
    for (const name of [".gitignore", ".github/x", "git", "a.git"])
      jail.createFile(sandbox.at(name), Buffer.of(1));
  });

  it("protect what is configured instead of the default", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file(".git/config");
    const jail = sandbox.jail({ protect: ["*.lock", "vendor/**"] });
    jail.replaceFile(sandbox.at(".git/config"), Buffer.of(1));
    jail.createDirectory(sandbox.at("vendor"));
    for (const path of ["a/B.LOCK", "vendor/x/y"]) {
      expect(refusal(() => jail.createFile(sandbox.at(path), Buffer.of(1))).code).toBe("protected");
    }
    expect(sandbox.names()).toEqual([".git", "vendor"]);
  });

  it.each([
    "key.pem",
    "d/KEY.PEM",
    "secret",
    "secret/deep/x",
    "SECRET/none",
    "to-key",
    "to-secret/deep/x",
    "secret/../f",
    "d/private/x",
    "d/private/none",
  ])("hide %s with the words for what is outside", (path) => {
    using sandbox = new Sandbox(platform);
    sandbox.file("key.pem");
    sandbox.file("d/KEY.PEM");
    sandbox.file("secret/deep/x");
    sandbox.file("d/private/x");
    sandbox.file("f");
    sandbox.link("to-key", "key.pem");
    sandbox.link("to-secret", "secret");
    const jail = sandbox.jail({ hide: ["*.pem", "secret", "/d/private/"] });
    const request = sandbox.at(path);
    const outside = refusal(() => jail.stat({ path: "/etc/passwd" })).message.replace("/etc/passwd", path);
    for (const act of [
      () => jail.openFile(request),
      () => jail.openDirectory(request),
      () => jail.stat(request),
      () => jail.resolve(request),
      () => jail.createFile(request, Buffer.of(1)),
      () => jail.createDirectory(request),
      () => jail.removeFile(request),
    ]) {
      expect(refusal(act)).toMatchObject({ code: "outside", message: outside });
    }
  });

  it("reach into a root that lies in what another root's rules cover", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file(".git/modules/x", "x");
    const roots = [sandbox.root, join(sandbox.root, ".git/modules")];
    const protecting = sandbox.jail({ roots });
    expect(readText(protecting, { path })).toBe("x");
    expect(refusal(() => protecting.replaceFile({ path }, Buffer.of(1))).code).toBe("protected");
    const hiding = sandbox.jail({ roots, hide: [".git"] });
    expect(refusal(() => readText(hiding, { path })).code).toBe("outside");
    expect(hiding.isHidden(path)).toBe(true);
  });

  it("hide names from lists, and where links lead", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("key.pem");
    sandbox.file("f");
    sandbox.link("to-key", "key.pem");
    sandbox.link("to-f", "f");
    const jail = sandbox.jail({ hide: ["*.pem"] });
    using directory = jail.openDirectory(sandbox.at("."));
    const entries = [...directory.entries()].map(({ name, link }) => [name, link?.leads]).sort();
    expect(entries).toEqual([
      ["f", undefined],
      ["to-f", "inside"],
      ["to-key", "unavailable"],
    ]);
    expect(refusal(() => jail.readLink(sandbox.at("to-key"))).code).toBe("outside");
    expect(jail.readLink(sandbox.at("to-f"))).toBe("f");
    expect(jail.lstat(sandbox.at("to-key")).kind).toBe("link");
  });

  it("are relative to every root a file lies in, or to the one they are written with", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("a/b/x");
    sandbox.file("b/x");
    const outer = join(sandbox.base, "link");
    symlinkSync(sandbox.root, outer);
    const inner = join(sandbox.root, "a");
    const isHidden = (rule: string, path: string): boolean => {
      using jail = sandbox.jail({ roots: [outer, inner], hide: [rule] });
      const isRefused = !(() => {
        try {
          return jail.resolve({ path: join(sandbox.root, path) }).exists;
        } catch {
          return false;
        }
      })();
      expect(jail.isHidden(join(sandbox.root, path))).toBe(isRefused);
      return isRefused;
    };
    expect(isHidden("a/b", "a/b/x")).toBe(true);
    expect(isHidden("/b", "a/b/x")).toBe(true);
    expect(isHidden("/b", "b/x")).toBe(true);
    expect(isHidden(`${inner}/b`, "a/b/x")).toBe(true);
    expect(isHidden(`${inner}/b`, "b/x")).toBe(false);
    expect(isHidden(`${outer}/b`, "b/x")).toBe(true);
    expect(isHidden(`${outer}/b`, "a/b/x")).toBe(false);
    expect(isHidden("a", "a/b/x")).toBe(true);
  });

  it("say of real paths whether they are hidden, without looking", () => {
    using sandbox = new Sandbox(platform);
    const jail = sandbox.jail({ hide: ["node_modules", "*.key"] });
    const isHidden = (path: string): boolean => jail.isHidden(join(sandbox.root, path));
    expect(["a/node_modules/x", "b.key", "../outside/x", "../root2"].map(isHidden)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["", "a/x", "node_modules2"].map(isHidden)).toEqual([false, false, false]);
  });

  it.each([
    ["hide", "", "it is empty"],
    ["hide", "/", "it is empty"],
    ["protect", "!keep", "cannot take back another one"],
    ["protect", "a/../b", "`..` never matches"],
    ["hide", "{a,b}".repeat(9), "more than 256 patterns"],
  ] as const)("refuse a %s rule %j that would protect nothing", (option, rule, why) => {
    using sandbox = new Sandbox(platform);
    const error = refusal(() => sandbox.jail({ [option]: [rule] }));
    expect(error.failure).toEqual({ code: "invalid_option", option });
    expect(error.message).toContain(why);
  });
});
