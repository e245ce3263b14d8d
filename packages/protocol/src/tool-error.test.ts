import { describe, expect, it } from "vitest";
import { categoryFromWire, errorCategories, isToolError, ToolError } from "./tool-error.ts";
import { ToolErrorCategory } from "./wire.ts";

describe("ToolError", () => {
  it("has the wire numbers of the generated enum", () => {
    for (const [category, { wire }] of Object.entries(errorCategories)) {
      expect(ToolErrorCategory[category.toUpperCase() as keyof typeof ToolErrorCategory]).toBe(wire);
      expect(categoryFromWire(wire)).toBe(category);
    }
    expect(Object.keys(errorCategories)).toHaveLength(9);
  });

  it("is retryable as its category says, or as it is told", () => {
    expect(new ToolError("timeout", "late").retryable).toBe(true);
    expect(new ToolError("not_found", "none").retryable).toBe(false);
    expect(new ToolError("execution_failed", "busy", { retryable: true }).retryable).toBe(true);
  });

  it("is recognised across copies of the package", () => {
    const foreign = Object.assign(new Error("from another copy"), {
      [Symbol.for("pluggableharness.ToolError")]: true,
    });
    expect(isToolError(foreign)).toBe(true);
    expect(isToolError(new Error("plain"))).toBe(false);
    expect(isToolError("text")).toBe(false);
  });

  it("reads a number of a newer protocol as unknown", () => {
    expect(categoryFromWire(0)).toBe("unknown");
    expect(categoryFromWire(99)).toBe("unknown");
  });
});
