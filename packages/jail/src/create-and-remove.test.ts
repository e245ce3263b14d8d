// Creating and removing: never over what exists, never more than was asked for, nothing left on failure.
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { platformNames, readText, refusal, Sandbox } from "./testing/sandbox.ts";

const bytes = Buffer.from("new content");

describe.each(platformNames)("creating and removing on the %s walk", (platform) => {
  it("makes the directories a new file needs, also through a link, and says how many", () => {
    using sandbox = new Sandbox(platform);
    sandbox.directory("d");
    sandbox.link("l", "d");
    sandbox.link("dangling", "d/later/f");
    const jail = sandbox.jail();
    expect(jail.createFile(sandbox.at("l/a/b/f"), bytes).madeDirectories).toBe(2);
    expect(sandbox.content("d/a/b/f")).toBe("new content");
    expect(jail.createFile(sandbox.at("dangling"), bytes).path.relativePath).toBe("d/later/f");
    expect(refusal(() => jail.createFile(sandbox.at("x/f"), bytes, { makeParents: false })).code).toBe(
      "not_found",
    );
    expect(jail.createDirectory(sandbox.at("e/f/g/"))).toMatchObject({
      madeDirectories: 3,
      path: { relativePath: "e/f/g" },
    });
    expect(jail.createDirectory(sandbox.at("e/f")).madeDirectories).toBe(0);
    expect(sandbox.names()).toEqual(["d", "dangling", "e", "l"]);
  });

  it("gives a new file the mode that is asked for, less the umask", () => {
    using sandbox = new Sandbox(platform);
    const umask = process.umask();
    const jail = sandbox.jail();
    expect(jail.createFile(sandbox.at("a"), bytes).stat.mode).toBe(0o666 & ~umask);
    expect(jail.createFile(sandbox.at("b"), bytes, { mode: 0o700 }).stat).toMatchObject({
      mode: 0o700 & ~umask,
      linkCount: 1,
    });
  });

  it("never touches what exists", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f", "old");
    sandbox.file("d/x");
    sandbox.link("l", "f");
    const jail = sandbox.jail();
    expect(refusal(() => jail.createFile(sandbox.at("f"), bytes)).code).toBe("exists");
    expect(refusal(() => jail.createFile(sandbox.at("l"), bytes)).code).toBe("exists");
    expect(refusal(() => jail.createFile(sandbox.at("d"), bytes)).code).toBe("is_a_directory");
    expect(refusal(() => jail.createFile(sandbox.at("new/"), bytes)).code).toBe("is_a_directory");
    expect(refusal(() => jail.createDirectory(sandbox.at("f"))).code).toBe("not_a_directory");
    expect(refusal(() => jail.replaceFile(sandbox.at("none"), bytes)).code).toBe("not_found");
    expect(sandbox.content("f")).toBe("old");
    expect(sandbox.names()).toEqual(["d", "f", "l"]);
  });

  it("makes nothing on a way that goes up from what does not exist", () => {
    using sandbox = new Sandbox(platform);
    const jail = sandbox.jail();
    for (const path of ["no/../f", "no/../../outside/f", "no/x/../../f"]) {
      expect(refusal(() => jail.createFile(sandbox.at(path), bytes)).code).toBe("not_found");
      expect(refusal(() => jail.createDirectory(sandbox.at(path))).code).toBe("not_found");
    }
    expect(sandbox.names()).toEqual([]);
  });

  it("takes back the directories it made when the file cannot be written", () => {
    using sandbox = new Sandbox(platform);
    const jail = sandbox.jail();
    const request = sandbox.at("a/b/f");
    const failing = new Proxy(bytes, { get: () => assertFailure() });
    expect(() => jail.createFile(request, failing)).toThrow("unreadable content");
    expect(sandbox.names()).toEqual([]);
  });

  it("removes files and empty directories, and nothing else", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("d/f");
    sandbox.link("l", "d/f");
    const jail = sandbox.jail();
    expect(refusal(() => jail.removeDirectory(sandbox.at("d"))).code).toBe("not_empty");
    expect(refusal(() => jail.removeFile(sandbox.at("d"))).code).toBe("is_a_directory");
    expect(refusal(() => jail.removeDirectory(sandbox.at("d/f"))).code).toBe("not_a_directory");
    expect(refusal(() => jail.removeDirectory(sandbox.at("."))).code).toBe("protected");
    jail.removeFile(sandbox.at("l"));
    expect(refusal(() => jail.removeFile(sandbox.at("d/f"))).code).toBe("not_found");
    jail.removeDirectory(sandbox.at("d"));
    expect(sandbox.names()).toEqual(["l"]);
  });

  it("can be asked beforehand, which changes nothing", () => {
    using sandbox = new Sandbox(platform);
    chmodSync(sandbox.file("locked"), 0o444);
    sandbox.file("f", "old");
    sandbox.file(".git/x");
    const jail = sandbox.jail();
    const { version } = jail.stat(sandbox.at("f"));
    const code = (path: string): string => refusal(() => jail.checkWritable(sandbox.at(path))).code;
    expect(["locked", ".git/x", ".git/new", ".", "../outside/secret", "f/x"].map(code)).toEqual([
      "permission",
      "protected",
      "protected",
      "is_a_directory",
      "outside",
      "not_a_directory",
    ]);
    for (const path of ["f", "new/f"]) jail.checkWritable(sandbox.at(path));
    expect(jail.stat(sandbox.at("f")).version).toBe(version);
    expect(sandbox.names()).toEqual([".git", "f", "locked"]);
    expect(refusal(() => sandbox.jail({ readOnly: true }).checkWritable(sandbox.at("f"))).code).toBe(
      "read_only",
    );
  });

  it("changes nothing in a jail that is read-only, before looking at the path", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f", "old");
    const jail = sandbox.jail({ readOnly: true });
    for (const path of ["f", "new", "../outside/secret"]) {
      for (const act of [
        () => jail.createFile(sandbox.at(path), bytes),
        () => jail.replaceFile(sandbox.at(path), bytes),
        () => jail.createDirectory(sandbox.at(path)),
        () => jail.removeFile(sandbox.at(path)),
        () => jail.removeDirectory(sandbox.at(path)),
      ]) {
        expect(refusal(act).code).toBe("read_only");
      }
    }
    expect(readText(jail, sandbox.at("f"))).toBe("old");
  });
});

function assertFailure(): never {
  throw new Error("unreadable content");
}
