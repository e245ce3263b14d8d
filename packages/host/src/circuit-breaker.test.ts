import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.ts";

const limits = { maxFailures: 3, windowMs: 60, openMs: 30 };

describe("a circuit breaker", () => {
  it.each([
    ["has not failed", [], 0, 0],
    ["has failed twice", [0, 1], 1, 0],
    ["has failed three times in the window", [0, 1, 2], 2, 30],
    ["has rested for a while", [0, 1, 2], 12, 20],
    ["has rested", [0, 1, 2], 32, 0],
    ["has failed after its rest", [0, 1, 2, 40], 41, 29],
    ["has failed long ago", [0, 1, 61, 62], 62, 0],
  ])("of a plugin that %s", (_name, failures, nowMs, openForMs) => {
    const breaker = new CircuitBreaker(limits);
    for (const at of failures) breaker.failed(at);
    expect(breaker.openForMs(nowMs)).toBe(openForMs);
  });
});
