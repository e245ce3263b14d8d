// The globs of rules: what each form covers, and that no form is slow or matches too little.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, foldName, matchesGlob } from "./glob.ts";

function matches(pattern: string, path: string): boolean {
  return matchesGlob(compileGlob(pattern), path.split("/").map(foldName));
}

describe("a glob", () => {
  it.each([
    ["a.txt", "a.txt", true],
    ["a.txt", "a.txt/b", false],
    ["*.txt", "b.txt", true],
    ["*.txt", "d/b.txt", false],
    ["*", ".hidden", true],
    ["?.md", "a.md", true],
    ["?.md", "😀.md", true],
    ["?.md", "ab.md", false],
    ["**/x", "x", true],
    ["**/x", "a/b/x", true],
    ["**/x", "a/xx", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/1/2/b", true],
    ["a/**", "a", false],
    ["a/**", "a/b/c", true],
    ["**", "a", true],
    ["a**b", "axxb", true],
    ["[a-c].md", "b.md", true],
    ["[!a-c].md", "b.md", false],
    ["[^a-c].md", "d.md", true],
    ["[]x]", "]", true],
    ["[a-]", "-", true],
    ["[id]", "[id]", true],
    ["[id]", "i", true],
    ["[", "[", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["*.{pem,key}", "server.KEY", true],
    ["*.{pem,key}", "server.crt", false],
    ["{a,b{c,d}}/x", "bd/x", true],
    ["{a}", "{a}", true],
    ["/a", "a", true],
    ["./a/", "a", true],
    [".git", ".GIT", true],
    [".git", ".g\u200cit", true],
    ["é", "e\u0301", true],
    ["K", "\u212a", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  const segment = fc.stringMatching(/^[a-c*?]{1,6}$/);
  const name = fc.stringMatching(/^[a-c]{1,6}$/);

  it("agrees with the obvious slow matcher", () => {
    const pattern = fc.array(fc.oneof(segment, fc.constant("**")), { minLength: 1, maxLength: 5 });
    const path = fc.array(name, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pattern, path, (segments, names) => {
        expect(matches(segments.join("/"), names.join("/"))).toBe(slowPath(segments, names));
      }),
      { numRuns: 2000 },
    );
  });

  it("matches every name as a literal once its special characters are escaped", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => !/[/{},]|^\.$/.test(text)),
        (text) => {
          expect(matches(text.replace(/[*?[\]\\]/g, "\\$&"), text)).toBe(true);
        },
      ),
    );
  });

  it("needs a bounded number of steps for patterns that make others explode", () => {
    expect(matches(`${"*a".repeat(120)}b`, "a".repeat(255))).toBe(false);
    expect(matches(`${"**/a/".repeat(50)}b`, "a/".repeat(200))).toBe(false);
  });

  it("refuses braces that stand for more than 256 patterns", () => {
    expect(() => compileGlob("{a,b}".repeat(9))).toThrow(/more than 256 patterns/);
  });
});

/** Recursion over all possibilities: short enough to be believed. */
function slowPath(segments: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = segments;
  if (first === undefined) return names.length === 0;
  if (first !== "**")
    return names.length > 0 && slowName(first, names[0] ?? "") && slowPath(rest, names.slice(1));
  if (rest.length === 0) return names.length > 0;
  return names.length === 0
    ? slowPath(rest, names)
    : slowPath(rest, names) || slowPath(segments, names.slice(1));
}

function slowName(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  const rest = pattern.slice(1);
  if (pattern[0] === "*") return slowName(rest, name) || (name !== "" && slowName(pattern, name.slice(1)));
  return name !== "" && (pattern[0] === "?" || pattern[0] === name[0]) && slowName(rest, name.slice(1));
}
