import { describe, expect, it } from "vitest";
import { MAX_WARNINGS, readComplaints, warningsOf } from "./ripgrep-failure.ts";

const end = (stderr: string, code = 2) => ({ code, stderr: Buffer.from(stderr) });

describe("ripgrep's words become", () => {
  it.each([
    ["rg: ./a: Permission denied (os error 13)\n", "a"],
    ["rg: ./a: IO error for operation on ./a: Permission denied (os error 13)\n", "a"],
    ["rg: ./a: b/c: Permission denied (os error 13)\n", "a: b/c"],
    ["rg: <stdin>: Permission denied (os error 13)\n", ""],
  ])("a warning about one file: %j", (words, path) => {
    expect(readComplaints(end(words))).toEqual([{ path, reason: "permission denied" }]);
  });

  it.each([
    [
      "rg: regex parse error:\n    (?:()\n    ^\nerror: unclosed group\n",
      "invalid_arguments",
      /unclosed group/,
    ],
    ["rg: unrecognized file type: x\n", "invalid_arguments", /file type: x/],
    ["rg: something broke\n", "execution_failed", /something broke/],
    ["", "execution_failed", /no reason/],
  ])("an error about the call: %j", (words, category, message) => {
    expect(() => readComplaints(end(words))).toThrow(
      expect.objectContaining({ category, message: expect.stringMatching(message) }),
    );
  });

  it("nothing where ripgrep only found nothing", () => {
    expect(readComplaints(end("", 1))).toEqual([]);
  });

  it("so many warnings and a number", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ path: `\u001b${index}`, reason: "r" }));
    const words = warningsOf(many, (path) => `d/${path}`);
    expect(words).toHaveLength(MAX_WARNINGS + 1);
    expect(words[0]).toBe("d/\\x1b0 could not be read: r");
    expect(words.at(-1)).toBe("30 more could not be read");
  });
});
