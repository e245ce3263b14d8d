import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallLock, type Claim, claimOf } from "./call-lock.ts";

const idle = new AbortController().signal;
const provider: Claim = { kind: "provider" };
const key = (name: string): Claim => ({ kind: "key", key: name });

describe("claimOf", () => {
  it.each<[string, Parameters<typeof claimOf>[1], Claim]>([
    ["no rule", undefined, provider],
    ["an unsafe rule", { safe: false, keyFields: ["path"] }, provider],
    ["a safe rule without keys", { safe: true, keyFields: [] }, key("")],
    ["a safe rule with keys", { safe: true, keyFields: ["path", "mode"] }, key('["edit",{"a":1},null]')],
  ])("of %s", (_name, rule, claim) => {
    expect(claimOf("edit", rule, { path: { a: 1 } })).toEqual(claim);
  });
});

describe("CallLock", () => {
  /** Runs claims in one go, ending them one by one in the given order, and returns what ran together. */
  async function overlaps(claims: readonly Claim[]): Promise<string[][]> {
    const lock = new CallLock();
    const running = new Set<number>();
    const seen: string[][] = [];
    const ends: (() => void)[] = [];
    const calls = claims.map((claim, index) =>
      lock.run(claim, idle, async () => {
        running.add(index);
        seen.push([...running].map(String));
        await new Promise<void>((resolve) => ends.push(resolve));
        running.delete(index);
      }),
    );
    while (seen.length < claims.length || running.size > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      ends.shift()?.();
    }
    await Promise.all(calls);
    return seen;
  }

  it("runs safe calls together, calls of one key one by one, and an unsafe call alone, in order", async () => {
    const claims = [key("a"), key("b"), key("a"), provider, key("c"), key("")];
    expect(await overlaps(claims)).toEqual([["0"], ["0", "1"], ["1", "2"], ["3"], ["4"], ["4", "5"]]);
  });

  it("never breaks its rule and always comes to an end", async () => {
    const claims = fc.array(fc.constantFrom(provider, key(""), key("a"), key("b")), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(claims, async (list) => {
        const seen = await overlaps(list);
        expect(seen).toHaveLength(list.length);
        for (const together of seen) {
          const kinds = together.map((index) => list[Number(index)]);
          if (kinds.some((claim) => claim?.kind === "provider")) expect(kinds).toHaveLength(1);
          const keys = kinds.flatMap((claim) =>
            claim?.kind === "key" && claim.key !== "" ? [claim.key] : [],
          );
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("lets go of a call that is cancelled while it waits, and goes on without it", async () => {
    const lock = new CallLock();
    const abort = new AbortController();
    let end = () => {};
    const first = lock.run(
      provider,
      idle,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const cancelled = lock.run(provider, abort.signal, async () => "ran");
    const third = lock.run(key("a"), idle, async () => "ran");
    abort.abort(new Error("enough"));
    await expect(cancelled).rejects.toThrow("enough");
    end();
    await first;
    expect(await third).toBe("ran");
    await expect(lock.run(provider, abort.signal, async () => {})).rejects.toThrow("enough");
  });

  it("frees the claim of a call that fails", async () => {
    const lock = new CallLock();
    await expect(lock.run(provider, idle, () => Promise.reject(new Error("broke")))).rejects.toThrow("broke");
    expect(await lock.run(provider, idle, async () => "ran")).toBe("ran");
  });
});
