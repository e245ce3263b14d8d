import { describe, expect, it } from "vitest";
import { isToolPattern, matchesToolPattern, toolSelection } from "./tool-pattern.ts";

describe("a pattern of tools", () => {
  it.each([
    ["*", "filesystem", "read_file", true],
    ["filesystem", "filesystem", "read_file", true],
    ["filesystem.*", "filesystem", "read_file", true],
    ["filesystem.*", "filesystem2", "read_file", false],
    ["filesystem.read_file", "filesystem", "read_file", true],
    ["filesystem.read_file", "filesystem", "read_files", false],
    ["filesystem.read_*", "filesystem", "read_file", true],
    ["filesystem.read_*", "filesystem", "write_file", false],
    ["file*.read_file", "filesystem", "read_file", true],
    ["*.read_file", "other", "read_file", true],
    ["system.read_file", "filesystem", "read_file", false],
  ])("%s and %s.%s", (pattern, provider, operation, matches) => {
    expect(isToolPattern(pattern)).toBe(true);
    expect(matchesToolPattern(pattern, provider, operation)).toBe(matches);
  });

  it.each(["", ".", "a.", ".b", "a.b.c", "a.*b", "*a", "a b", "a.**"])("%j is none", (pattern) => {
    expect(isToolPattern(pattern)).toBe(false);
  });

  it("without any, everything is offered; with none in the list, nothing", () => {
    expect(toolSelection(undefined)("a", "b")).toBe(true);
    expect(toolSelection([])("a", "b")).toBe(false);
  });
});
