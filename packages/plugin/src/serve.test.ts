import { describe, expect, it } from "vitest";
import { isSupported } from "./serve.ts";

describe("isSupported", () => {
  it.each([
    ["18.20.8", false],
    ["20.15.1", false],
    ["20.16.0", true],
    ["22.19.0", true],
    ["26.1.0", true],
  ])("of Node %s is %s", (version, supported) => {
    expect(isSupported(version)).toBe(supported);
  });
});
