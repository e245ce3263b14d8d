// Listing: kinds, links, odd names, large directories, and directories that change or go meanwhile.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JailEntry } from "./jail-directory.ts";
import { platformNames, refusal, Sandbox, unprivileged } from "./testing/sandbox.ts";

describe.each(platformNames)("a directory on the %s walk", (platform) => {
  function list(sandbox: Sandbox, path = "."): Map<string, JailEntry> {
    using directory = sandbox.jail().openDirectory(sandbox.at(path));
    return new Map([...directory.entries()].map((entry) => [entry.name, entry]));
  }

  it("tells each entry's kind and size, and where its link leads", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("file", "12345");
    sandbox.file("sub/x");
    sandbox.fifo("fifo");
    sandbox.link("to-file", "file");
    sandbox.link("to-sub", join(sandbox.root, "sub"));
    sandbox.link("to-link", "to-sub");
    sandbox.link("dangling", "sub/none");
    sandbox.link("loop", "loop");
    sandbox.link("out", "../outside");
    sandbox.link("out-file", "../outside/secret");
    sandbox.link("through-file", "file/x");
    const entries = list(sandbox);
    const unavailable = { leads: "unavailable" };
    expect(Object.fromEntries([...entries].map(([name, { kind, link }]) => [name, link ?? kind]))).toEqual({
      file: "file",
      sub: "directory",
      fifo: "fifo",
      "to-file": { leads: "inside", text: "file", kind: "file" },
      "to-sub": { leads: "inside", text: join(sandbox.root, "sub"), kind: "directory" },
      "to-link": { leads: "inside", text: "to-sub", kind: "directory" },
      dangling: { leads: "nowhere", text: "sub/none" },
      loop: unavailable,
      out: unavailable,
      "out-file": unavailable,
      "through-file": unavailable,
    });
    expect(entries.get("file")?.stat).toMatchObject({ sizeBytes: 5, kind: "file" });
    expect(entries.get("out")?.kind).toBe("link");
  });

  it("names entries exactly, whatever they hold, and the names work as paths", () => {
    using sandbox = new Sandbox(platform);
    const names = ["\u001b[31mred", "a\nb", " ", "ü", "u\u0308", "*", "-n", "日本語", "..."];
    for (const name of names) sandbox.file(name);
    expect([...list(sandbox).keys()].sort()).toEqual([...names].sort());
    const jail = sandbox.jail();
    for (const name of names) expect(jail.stat(sandbox.at(name)).kind).toBe("file");
  });

  it("can be left after a few of many entries, or forgotten, and closes what it opened", () => {
    using sandbox = new Sandbox(platform);
    for (let index = 0; index < 1000; index++) sandbox.file(`many/${index}`, "");
    const jail = sandbox.jail();
    expect(list(sandbox, "many").size).toBe(1000);
    const directory = jail.openDirectory(sandbox.at("many"));
    for (const _ of directory.entries()) break;
    const forgotten = directory.entries();
    expect(forgotten.next().done).toBe(false);
    directory[Symbol.dispose]();
    directory[Symbol.dispose]();
    expect(forgotten.next().done).toBe(true);
    expect(refusal(() => directory.entries().next()).code).toBe("closed");
    expect(refusal(() => directory.pathForChild).code).toBe("closed");
  });

  it("is refused where it is no directory", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f");
    const jail = sandbox.jail();
    expect(refusal(() => jail.openDirectory(sandbox.at("f"))).code).toBe("not_a_directory");
    expect(refusal(() => jail.openDirectory(sandbox.at("none"))).code).toBe("not_found");
    expect(refusal(() => jail.readLink(sandbox.at("f"))).code).toBe("not_a_link");
  });

  it("shows entries it may list but not look at as unknown", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/f");
    execFileSync("chmod", ["744", join(sandbox.root, "d")]);
    if (process.geteuid?.() !== 0) execFileSync("chmod", ["444", join(sandbox.root, "d")]);
    const jail = sandbox.jail();
    using directory = jail.openDirectory(sandbox.at("d"));
    const entries = unprivileged(() => [...directory.entries()]);
    expect(entries).toEqual([{ name: "f", kind: "unknown", stat: undefined, link: undefined }]);
  });

  it("starts a child process in exactly itself", () => {
    using sandbox = new Sandbox(platform);
    sandbox.directory("d/e");
    sandbox.link("l", "d/e");
    using directory = sandbox.jail().openDirectory(sandbox.at("l"));
    const cwd = execFileSync("/bin/pwd", ["-P"], { cwd: directory.pathForChild, encoding: "utf8" }).trim();
    expect(cwd).toBe(join(sandbox.root, "d/e"));
    expect(directory.path.relativePath).toBe("d/e");
  });

  it("stays with the directory that was opened, or says that it changed, when another takes its name", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/mine");
    using directory = sandbox.jail().openDirectory(sandbox.at("d"));
    renameSync(join(sandbox.root, "d"), join(sandbox.root, "moved"));
    mkdirSync(join(sandbox.root, "d"));
    writeFileSync(join(sandbox.root, "d/other"), "");
    if (platform === "linux") expect([...directory.entries()].map((entry) => entry.name)).toEqual(["mine"]);
    else expect(refusal(() => [...directory.entries()]).code).toBe("changed");
  });

  it("notices that the directory around it was moved out, or holds on to it", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/e/mine");
    using directory = sandbox.jail().openDirectory(sandbox.at("d/e"));
    const moved = join(sandbox.base, "moved");
    renameSync(join(sandbox.root, "d"), moved);
    sandbox.link("d", moved);
    if (platform === "linux") expect([...directory.entries()].map((entry) => entry.name)).toEqual(["mine"]);
    else expect(refusal(() => [...directory.entries()]).code).toBe("changed");
    expect(refusal(() => sandbox.jail().openDirectory(sandbox.at("d/e"))).code).toBe("outside");
  });

  it("that is a root ends with its jail", () => {
    using sandbox = new Sandbox(platform);
    const jail = sandbox.jail();
    using directory = jail.openDirectory(sandbox.at("."));
    jail[Symbol.dispose]();
    if (platform === "linux") expect(refusal(() => directory.pathForChild).code).toBe("closed");
    else expect(directory.pathForChild).toBe(sandbox.root);
  });

  it("leaves out what vanishes while it is listed", () => {
    using sandbox = new Sandbox(platform);
    for (let index = 0; index < 10; index++) sandbox.file(`d/${index}`);
    using directory = sandbox.jail().openDirectory(sandbox.at("d"));
    const entries = directory.entries();
    expect(entries.next().done).toBe(false);
    for (let index = 0; index < 10; index++) rmSync(join(sandbox.root, `d/${index}`));
    expect([...entries]).toEqual([]);
  });
});
