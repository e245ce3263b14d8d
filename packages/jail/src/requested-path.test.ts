// What is no path at all, on each system, before anything is looked at.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLinkTarget, parsePath } from "./requested-path.ts";
import { refusal, Sandbox } from "./testing/sandbox.ts";

describe("a requested path", () => {
  it.each([
    ["empty", "", "it is empty"],
    ["with a NUL byte", "a\0b.txt", "NUL"],
    ["of 5,000 characters", "d/".repeat(2500), "longer than 4096 bytes"],
    ["with a name of 256 bytes", "a".repeat(256), "longer than 255 bytes"],
    ["with a name of 86 characters and 258 bytes", "€".repeat(86), "longer than 255 bytes"],
    ["with a lone surrogate", "a\ud800b", "not valid Unicode"],
    ["with escaped bytes that are valid UTF-8 together", "\udcc3\udca9", "not valid Unicode"],
  ])("is refused %s", (_, path, why) => {
    using sandbox = new Sandbox();
    sandbox.file("ab.txt");
    sandbox.file("é");
    const jail = sandbox.jail();
    for (const act of [
      () => jail.openFile(sandbox.at(path)),
      () => jail.createFile(sandbox.at(path), Buffer.of(1)),
    ]) {
      expect(refusal(act).code).toBe("invalid_path");
      expect(refusal(act).message).toContain(why);
    }
  });

  it("is accepted at the limits of the system", () => {
    using sandbox = new Sandbox();
    const jail = sandbox.jail();
    expect(jail.resolve(sandbox.at("a".repeat(255))).exists).toBe(false);
    expect(jail.resolve(sandbox.at("./".repeat(2047))).exists).toBe(true);
  });

  it.each([
    ["drive-relative", "C:..\\x"],
    ["drive-relative with a name", "D:x"],
    ["UNC", "\\\\srv\\share\\x"],
    ["UNC with slashes", "//srv/share/x"],
    ["a device path", "\\\\.\\C:\\x"],
    ["a verbatim path", "\\\\?\\C:\\ws\\..\\x"],
    ["the root of the current drive", "\\x"],
    ["a stream", ".env::$DATA"],
    ["a named stream", "d\\.env:x"],
    ["a trailing dot", ".env."],
    ["a trailing space", "d\\.env \\x"],
    ["a reserved name", "d/nul"],
    ["a reserved name with an extension", "Com1.txt"],
    ["a wildcard", "a*"],
    ["a control character", "a\u0007"],
  ])("is refused on Windows when it is %s", (_, path) => {
    expect(refusal(() => parsePath(path, "win32")).code).toBe("invalid_path");
  });

  it.each([
    ["C:\\ws\\a/b", { anchor: "C:\\", names: ["ws", "a", "b"] }],
    ["c:/ws/", { anchor: "C:\\", names: ["ws", "."] }],
    ["..\\x\\.\\", { anchor: undefined, names: ["..", "x", ".", "."] }],
    ["console.txt", { anchor: undefined, names: ["console.txt"] }],
  ])("is taken apart on Windows: %j", (path, parts) => {
    expect(parsePath(path, "win32")).toEqual(parts);
  });

  it("keeps every name of a POSIX path, in order and unchanged", () => {
    const name = fc.stringMatching(/^[^/\0\ud800-\udfff]{1,60}$/u);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), fc.boolean(), (names, isAbsolute) => {
        const parts = parsePath((isAbsolute ? "/" : "") + names.join("//"), "linux");
        expect(parts).toEqual({ anchor: isAbsolute ? "/" : undefined, names });
      }),
    );
  });

  it("reads a Windows link's verbatim drive and refuses its network targets", () => {
    expect(parseLinkTarget("\\\\?\\C:\\a", "win32")).toEqual({ anchor: "C:\\", names: ["a"] });
    expect(parseLinkTarget("\\\\srv\\share", "win32")).toBeUndefined();
    expect(parseLinkTarget("a/b", "linux")).toEqual({ anchor: undefined, names: ["a", "b"] });
  });
});

describe("a working directory", () => {
  it.each([
    ["missing", undefined, "names no working directory"],
    ["empty", "", "names no working directory"],
    ["relative", "root", "is not absolute"],
    ["gone", "ROOT/gone", "does not exist"],
    ["outside", "/etc", "outside the allowed directories"],
    ["outside and gone", "/nowhere", "outside the allowed directories"],
    ["a link to the outside", "ROOT/out", "outside the allowed directories"],
    ["a file", "ROOT/file", "cannot be entered (not_a_directory)"],
    ["no path", "/a\0", "cannot be entered (invalid_path)"],
  ])("that is %s leaves absolute paths usable and says so", (_, directory, why) => {
    using sandbox = new Sandbox();
    const file = sandbox.file("file");
    sandbox.link("out", "../outside");
    const jail = sandbox.jail();
    const workingDirectory = directory?.replace("ROOT", sandbox.root);
    expect(jail.stat({ path: file, workingDirectory }).kind).toBe("file");
    const error = refusal(() => jail.stat({ path: "file", workingDirectory }));
    expect(error.code).toBe("working_directory");
    expect(error.message).toContain(why);
    expect(error.message).toContain(`use an absolute path below "${sandbox.root}"`);
  });

  it("may be a link that leads into a root, and `..` starts from where it leads", () => {
    using sandbox = new Sandbox();
    sandbox.file("d/e/f");
    sandbox.link("l", "d/e");
    const jail = sandbox.jail();
    expect(jail.resolve({ path: "f", workingDirectory: `${sandbox.root}/l` }).relativePath).toBe("d/e/f");
    expect(jail.resolve({ path: "../x", workingDirectory: `${sandbox.root}/l/` }).relativePath).toBe("d/x");
  });
});
