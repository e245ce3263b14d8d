import { describe, expect, it } from "vitest";
import { createUlids } from "./ulid.ts";

const bytes = (fill: number) => () => new Uint8Array(10).fill(fill);

describe("a ULID", () => {
  it("is 26 characters of time and chance", () => {
    const next = createUlids({ now: () => 1_469_918_176_385, random: bytes(0) });
    expect(next()).toBe("01ARYZ6S410000000000000000");
    expect(createUlids()()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  it.each([
    ["in one millisecond", [5, 5, 5], 0],
    ["when the clock goes back", [5, 4, 6], 0],
    ["when a millisecond has no more", [5, 5, 5], 255],
  ])("is greater than the one before %s", (_name, times, fill) => {
    let at = 0;
    const next = createUlids({ now: () => times[at++] ?? 0, random: bytes(fill) });
    const made = times.map(() => next());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
