import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";
import { rateLimitOf } from "./search/rate-limit.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("Retry-After", () => {
  it.each<[string | undefined, number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Wednesday, 31-Dec-25 23:00:00 GMT", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["99999999999", undefined],
    ["2026-01-01", undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j is %j ms", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

describe("the windows of a rate limit", () => {
  it.each<[Record<string, string>, { waitMs: number | undefined; isQuota: boolean }]>([
    [
      { "retry-after": "3", "x-ratelimit-reset": "9" },
      { waitMs: 3_000, isQuota: false },
    ],
    [
      { "x-ratelimit-remaining": "0, 5", "x-ratelimit-reset": "1, 99999" },
      { waitMs: 1_000, isQuota: false },
    ],
    [
      { "x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 99999" },
      { waitMs: 99_999_000, isQuota: true },
    ],
    [{ "x-ratelimit-reset": "5, 99999" }, { waitMs: 5_000, isQuota: false }],
    [{ "x-ratelimit-reset": "soon" }, { waitMs: undefined, isQuota: false }],
    [{}, { waitMs: undefined, isQuota: false }],
  ])("%j", (headers, expected) => {
    expect(rateLimitOf(headers, now)).toEqual(expected);
  });
});
