// Replacing a file: atomic, through links, keeping what the old file had, refused where it may not be.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { platformNames, refusal, Sandbox, unprivileged } from "./testing/sandbox.ts";

const bytes = Buffer.from("new content");
const isRoot = process.geteuid?.() === 0;

describe.each(platformNames)("replacing on the %s walk", (platform) => {
  it.each([0o755, 0o600, 0o664, 0o1644, 0o400 | 0o200])("keeps mode %o and gives a new version", (mode) => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    chmodSync(path, mode);
    const jail = sandbox.jail();
    const before = jail.stat(sandbox.at("f")).version;
    const report = jail.replaceFile(sandbox.at("f"), bytes);
    expect(statSync(path).mode & 0o7777).toBe(mode);
    expect(report).toMatchObject({ losses: [], madeDirectories: 0, stat: { sizeBytes: bytes.length, mode } });
    expect(report.stat.version).toBe(jail.stat(sandbox.at("f")).version);
    expect(report.stat.version).not.toBe(before);
    expect(sandbox.names()).toEqual(["f"]);
    expect(sandbox.content("f")).toBe("new content");
  });

  it.each([
    [0o4755, 0o755, ["set_id"]],
    [0o6711, 0o711, ["set_id"]],
    [0o2644, 0o2644, []],
  ])("of mode %o leaves %o, as the kernel does when a program is written to", (mode, kept, losses) => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    chmodSync(path, mode);
    expect(sandbox.jail().replaceFile(sandbox.at("f"), bytes).losses).toEqual(losses);
    expect(statSync(path).mode & 0o7777).toBe(kept);
  });

  it("keeps owner and group where this process may set them, and else says what was lost", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    const jail = sandbox.jail();
    if (isRoot) {
      chownSync(path, 12345, 23456);
      expect(jail.replaceFile(sandbox.at("f"), bytes).losses).toEqual([]);
      expect(statSync(path)).toMatchObject({ uid: 12345, gid: 23456 });
      chmodSync(path, 0o666);
      chmodSync(sandbox.root, 0o777);
      // Only root's own group is left to the unprivileged: what the lost group could do is what all can.
      chmodSync(path, 0o2676);
      expect(unprivileged(() => jail.replaceFile(sandbox.at("f"), bytes)).losses).toEqual(["group", "owner"]);
      expect(statSync(path)).toMatchObject({ uid: 65534, gid: process.getegid?.() });
      expect(statSync(path).mode & 0o7777).toBe(0o666);
    } else {
      expect(jail.replaceFile(sandbox.at("f"), bytes).losses).toEqual([]);
      expect(statSync(path)).toMatchObject({ uid: process.geteuid?.(), gid: process.getegid?.() });
    }
  });

  it("refuses a file that nobody may write, whoever asks", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    chmodSync(path, 0o444);
    const jail = sandbox.jail();
    const error = refusal(() => jail.replaceFile(sandbox.at("f"), bytes));
    expect(error.failure).toEqual({ code: "permission", errno: "EACCES" });
    expect(error.message).toContain("read-only");
    expect(sandbox.content("f")).toBe("old");
  });

  it("refuses what this process may not write, though it may write the directory", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    chmodSync(sandbox.root, 0o777);
    // Not writable for the unprivileged: for others of root's file, for the owner of one's own.
    chmodSync(path, isRoot ? 0o644 : 0o464);
    const jail = sandbox.jail();
    const failure = unprivileged(() => refusal(() => jail.replaceFile(sandbox.at("f"), bytes)).failure);
    expect(failure).toEqual({ code: "permission", errno: "EACCES" });
    expect(sandbox.names()).toEqual(["f"]);
  });

  it("refuses where the directory may not be written", () => {
    using sandbox = new Sandbox(platform);
    chmodSync(sandbox.file("d/f", "old"), 0o666);
    chmodSync(join(sandbox.root, "d"), 0o555);
    const jail = sandbox.jail();
    for (const act of [
      () => jail.replaceFile(sandbox.at("d/f"), bytes),
      () => jail.createFile(sandbox.at("d/g"), bytes),
      () => jail.createDirectory(sandbox.at("d/e")),
      () => jail.removeFile(sandbox.at("d/f")),
    ]) {
      expect(unprivileged(() => refusal(act).failure)).toEqual({ code: "permission", errno: "EACCES" });
    }
  });

  it("follows a link to its target; the link stays a link", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("real/f", "old");
    sandbox.link("l", "real/f");
    const report = sandbox.jail().replaceFile(sandbox.at("l"), bytes);
    expect(report.path.relativePath).toBe("real/f");
    expect(sandbox.content("real/f")).toBe("new content");
    expect(lstatSync(join(sandbox.root, "l")).isSymbolicLink()).toBe(true);
  });

  it("leaves other names of the file, which may be outside, with the old content and says so", () => {
    using sandbox = new Sandbox(platform);
    linkSync(join(sandbox.outside, "secret"), join(sandbox.root, "f"));
    expect(sandbox.jail().replaceFile(sandbox.at("f"), bytes).losses).toEqual(["hard_links"]);
    expect(readFileSync(join(sandbox.outside, "secret"), "utf8")).toBe("secret");
    expect(sandbox.content("f")).toBe("new content");
  });

  it("happens only to the version that was seen, even if the size and the time are set back", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    const jail = sandbox.jail();
    utimesSync(path, 1e9, 1e9);
    const { version } = jail.stat(sandbox.at("f"));
    writeFileSync(path, "odd");
    utimesSync(path, 1e9, 1e9);
    expect(refusal(() => jail.replaceFile(sandbox.at("f"), bytes, { version })).code).toBe("changed");
    expect(refusal(() => jail.removeFile(sandbox.at("f"), { version })).code).toBe("changed");
    expect(sandbox.content("f")).toBe("odd");
    const now = jail.stat(sandbox.at("f")).version;
    const report = jail.replaceFile(sandbox.at("f"), bytes, { version: now });
    jail.removeFile(sandbox.at("f"), { version: report.stat.version });
    expect(sandbox.names()).toEqual([]);
  });

  it("is given up when the file changes while the new content is written, which nobody else can read", () => {
    using sandbox = new Sandbox(platform);
    const path = sandbox.file("f", "old");
    const modes: number[] = [];
    class Meddling extends Uint8Array<ArrayBuffer> {
      override get length(): number {
        const temporary = sandbox.names().find((name) => name.endsWith(".tmp")) ?? "";
        modes.push(statSync(join(sandbox.root, temporary)).mode & 0o777);
        writeFileSync(path, "changed meanwhile");
        return super.length;
      }
    }
    expect(
      refusal(() => sandbox.jail().replaceFile(sandbox.at("f"), new Meddling(new ArrayBuffer(3)))).code,
    ).toBe("changed");
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(sandbox.names()).toEqual(["f"]);
    expect(sandbox.content("f")).toBe("changed meanwhile");
  });

  it("puts a new program in the place of one that runs", async () => {
    const sandbox = new Sandbox(platform);
    const path = join(sandbox.root, "program");
    copyFileSync("/bin/cat", path);
    chmodSync(path, 0o755);
    const child = spawn(path, { stdio: ["pipe", "pipe", "ignore"] });
    const gone = once(child, "close");
    try {
      child.stdin.write("running");
      await once(child.stdout, "data");
      sandbox.jail().replaceFile(sandbox.at("program"), bytes);
      expect(sandbox.content("program")).toBe("new content");
    } finally {
      child.kill("SIGKILL");
      await gone;
      sandbox[Symbol.dispose]();
    }
  });

  it("writes empty and large content whole", () => {
    using sandbox = new Sandbox(platform);
    sandbox.file("f");
    const jail = sandbox.jail();
    const large = Buffer.alloc(9_000_000, "0123456789abcdef");
    jail.replaceFile(sandbox.at("f"), large);
    expect(readFileSync(join(sandbox.root, "f")).equals(large)).toBe(true);
    jail.replaceFile(sandbox.at("f"), Buffer.alloc(0));
    expect(sandbox.content("f")).toBe("");
  });
});
