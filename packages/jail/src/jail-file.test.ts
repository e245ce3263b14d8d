// Reading: regular files only, the whole or a part, bounded, and never a wait.

import { once } from "node:events";
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { platformNames, readText, refusal, Sandbox, unprivileged } from "./testing/sandbox.ts";

describe.each(platformNames)("reading on the %s walk", (platform) => {
  it("refuses a FIFO, a device and a directory at once, by kind, also through a link", () => {
    using sandbox = new Sandbox(platform);
    sandbox.fifo("pipe");
    sandbox.directory("dir");
    sandbox.link("to-pipe", "pipe");
    sandbox.link("to-dir", "dir");
    const jail = sandbox.jail();
    const devices = sandbox.jail({ roots: ["/dev"] });
    for (const path of ["pipe", "to-pipe"]) {
      expect(refusal(() => jail.openFile(sandbox.at(path))).failure).toEqual({
        code: "not_a_regular_file",
        kind: "fifo",
      });
      expect(refusal(() => jail.replaceFile(sandbox.at(path), Buffer.of(1))).code).toBe("not_a_regular_file");
      expect(refusal(() => jail.removeFile(sandbox.at(path))).code).toBe("not_a_regular_file");
      expect(refusal(() => jail.createFile(sandbox.at(path), Buffer.of(1))).code).toBe("exists");
    }
    for (const path of ["dir", "to-dir", "."]) {
      expect(refusal(() => jail.openFile(sandbox.at(path))).code).toBe("is_a_directory");
      expect(refusal(() => jail.replaceFile(sandbox.at(path), Buffer.of(1))).code).toBe("is_a_directory");
    }
    expect(refusal(() => devices.openFile({ path: "/dev/zero" })).failure).toEqual({
      code: "not_a_regular_file",
      kind: "character_device",
    });
    expect(jail.stat(sandbox.at("to-pipe")).kind).toBe("fifo");
  });

  it("refuses a socket", async () => {
    const server = createServer();
    const directory = new Sandbox(platform);
    server.listen(join(directory.root, "socket"));
    await once(server, "listening");
    try {
      const jail = directory.jail();
      expect(refusal(() => jail.openFile(directory.at("socket"))).failure).toEqual({
        code: "not_a_regular_file",
        kind: "socket",
      });
    } finally {
      server.close();
      await once(server, "close");
      directory[Symbol.dispose]();
    }
  });

  it("reads a part at any place, and stops at the end", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f", "0123456789");
    using file = sandbox.jail().openFile(sandbox.at("f"));
    const into = Buffer.alloc(4);
    expect([file.read(into, 3), into.toString()]).toEqual([4, "3456"]);
    expect([file.read(into, 8), into.toString("utf8", 0, 2)]).toEqual([2, "89"]);
    expect(file.read(into, 99)).toBe(0);
  });

  it("reads at most what it is allowed to as a whole, and says how much there is", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "x".repeat(100));
    using file = sandbox.jail().openFile(sandbox.at("f"));
    expect(file.readAll(100).length).toBe(100);
    expect(refusal(() => file.readAll(99)).failure).toEqual({
      code: "too_large",
      sizeBytes: 100,
      maxBytes: 99,
    });
    appendFileSync(path, "y".repeat(200_000));
    expect(refusal(() => file.readAll(150)).code).toBe("too_large");
    expect(file.readAll(300_000).toString()).toBe("x".repeat(100) + "y".repeat(200_000));
    truncateSync(path, 10);
    expect(file.readAll(100).toString()).toBe("x".repeat(10));
  });

  it("keeps reading the file that was opened, whatever takes its name", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "opened");
    using file = sandbox.jail().openFile(sandbox.at("f"));
    renameSync(path, `${path}.old`);
    writeFileSync(path, "another");
    expect(file.readAll(100).toString()).toBe("opened");
    rmSync(`${path}.old`);
    expect(file.readAll(100).toString()).toBe("opened");
  });

  it("gives its descriptor away to nobody once it is disposed", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f");
    const file = sandbox.jail().openFile(sandbox.at("f"));
    expect(file.descriptor).toBeGreaterThan(2);
    file[Symbol.dispose]();
    file[Symbol.dispose]();
    expect(refusal(() => file.descriptor).code).toBe("closed");
    expect(refusal(() => file.readAll(1)).code).toBe("closed");
  });

  it("reports what the system forbids", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("locked/f");
    sandbox.lock("locked");
    sandbox.file("secret");
    sandbox.lock("secret");
    const jail = sandbox.jail();
    using directory = jail.openDirectory(sandbox.at("locked"));
    const failures = unprivileged(() => [
      refusal(() => jail.openFile(sandbox.at("locked/f"))).failure,
      refusal(() => jail.openFile(sandbox.at("secret"))).failure,
      refusal(() => directory.entries().next()).failure,
    ]);
    expect(failures).toEqual(Array.from({ length: 3 }, () => ({ code: "permission", errno: "EACCES" })));
  });

  it("tells facts that change when the file does", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "12345");
    const jail = sandbox.jail();
    const before = jail.stat(sandbox.at("f"));
    expect(before).toMatchObject({ kind: "file", sizeBytes: 5, linkCount: 1 });
    expect(before.mode & 0o700).toBe(0o600);
    expect(Math.abs(before.modifiedMs - Date.now())).toBeLessThan(3_600_000);
    expect(jail.stat(sandbox.at("f")).version).toBe(before.version);
    writeFileSync(path, "123456");
    expect(jail.stat(sandbox.at("f")).version).not.toBe(before.version);
    expect(readText(jail, sandbox.at("f"))).toBe("123456");
  });
});
