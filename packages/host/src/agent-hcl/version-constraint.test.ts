import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VersionConstraint } from "./version-constraint.ts";

describe("a version constraint", () => {
  it.each([
    ["1.2.3", ["1.2.3", "v1.2.3"], ["1.2.4", "1.2.3-rc1"]],
    ["= 1.2", ["1.2.0"], ["1.2.1"]],
    ["!= 1.2.3", ["1.2.4"], ["1.2.3"]],
    [">= 1.2, < 2.0", ["1.2.0", "1.99.9"], ["1.1.9", "2.0.0"]],
    ["~> 1.2", ["1.2.0", "1.9.0"], ["1.1.0", "2.0.0"]],
    ["~> 1.2.3", ["1.2.3", "1.2.9"], ["1.2.2", "1.3.0"]],
    ["~> 1", ["1.0.0", "1.9.9"], ["0.9.0", "2.0.0"]],
    ["> 1.0.0", ["1.0.1"], ["1.0.0", "2.0.0-beta"]],
    ["<= 1.0.0", ["1.0.0", "0.1.0"], ["1.0.1"]],
    ["1.0.0-beta.2", ["1.0.0-beta.2"], ["1.0.0", "1.0.0-beta.10"]],
  ])("%s", (text, allowed, refused) => {
    const constraint = VersionConstraint.parse(text);
    expect(allowed.filter((version) => !constraint.allows(version))).toEqual([]);
    expect(refused.filter((version) => constraint.allows(version))).toEqual([]);
  });

  it.each(["", "latest", ">> 1.0", "1.0.0.0", "1.x", "^1.0", ">= 1.0,"])("%j is none", (text) => {
    expect(() => VersionConstraint.parse(text)).toThrow("is no version constraint");
  });

  it("allows nothing that is no version", () => {
    expect(VersionConstraint.parse(">= 0").allows("new")).toBe(false);
  });

  const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((numbers) => numbers.join("."));
  it("and its opposite divide all versions between them", () => {
    fc.assert(
      fc.property(version, version, (bound, given) => {
        const allows = (operator: string): boolean =>
          VersionConstraint.parse(`${operator} ${bound}`).allows(given);
        expect(allows(">=")).toBe(!allows("<"));
        expect(allows(">")).toBe(!allows("<="));
        expect(allows("=")).toBe(!allows("!="));
        expect(allows("=")).toBe(allows(">=") && allows("<="));
        const [major = "", minor = ""] = bound.split(".");
        expect(allows("~>")).toBe(
          allows(">=") && VersionConstraint.parse(`< ${major}.${Number(minor) + 1}`).allows(given),
        );
      }),
    );
  });
});
