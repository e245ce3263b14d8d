import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimeout, parseTimeout } from "./timeout.ts";

describe("grpc-timeout", () => {
  it.each([
    ["299868u", 299.868],
    ["1n", 1e-6],
    ["50000u", 50],
    ["7m", 7],
    ["3S", 3_000],
    ["2M", 120_000],
    ["1H", 3_600_000],
    ["0m", 0],
  ])("reads %s as %d ms", (header, ms) => {
    expect(parseTimeout(header)).toBeCloseTo(ms, 9);
  });

  it.each([undefined, "", "5", "m", "-5m", "123456789m", "5 m", "5x", "1.5S"])("ignores %j", (header) => {
    expect(parseTimeout(header)).toBeUndefined();
  });

  it("writes what it reads, never shorter than asked", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e13, noNaN: true }), (ms) => {
        const header = formatTimeout(ms);
        expect(header).toMatch(/^\d{1,8}[numSMH]$/);
        expect(parseTimeout(header)).toBeGreaterThanOrEqual(
          Math.min(ms, 99_999_999 * 3_600_000) * (1 - 1e-12),
        );
      }),
    );
    expect(formatTimeout(-5)).toBe("0n");
  });
});
