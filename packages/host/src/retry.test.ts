import { ToolError } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { MAX_TRIES, withRetries } from "./retry.ts";

/** Fails with each error in turn, then succeeds; notes how each try was made and how long was waited. */
async function tried(
  errors: readonly unknown[],
  { mayRepeat = true, abortAfter = Number.POSITIVE_INFINITY } = {},
) {
  const abort = new AbortController();
  const tries: boolean[] = [];
  const waits: number[] = [];
  const outcome = await withRetries(
    async ({ alone }) => {
      const error = errors[tries.length];
      tries.push(alone);
      if (tries.length >= abortAfter) abort.abort();
      if (error !== undefined) throw error;
      return "done";
    },
    { mayRepeat, signal: abort.signal, wait: async (delayMs) => void waits.push(delayMs) },
  ).catch((error: unknown) => error);
  return { outcome, tries, waits };
}

const late = new ToolError("timeout", "late");
const conflict = new ToolError("concurrency_conflict", "busy");

describe("withRetries", () => {
  it("waits as the kernel does, and gives up with the last failure", async () => {
    expect(await tried([late, late])).toMatchObject({ outcome: "done", waits: [500, 1_000] });
    const all = await tried(Array.from({ length: 9 }, () => late));
    expect(all).toMatchObject({ outcome: late, waits: [500, 1_000, 2_000, 4_000] });
    expect(all.tries).toHaveLength(MAX_TRIES);
  });

  it("tries a conflict again alone", async () => {
    expect(await tried([conflict, late])).toMatchObject({ outcome: "done", tries: [false, true, false] });
  });

  it.each([
    ["what may not be done twice", [late], { mayRepeat: false }],
    ["what is not retryable", [new ToolError("not_found", "none")], {}],
    ["what is no ToolError", [new Error("bug")], {}],
    ["what was cancelled meanwhile", [late], { abortAfter: 1 }],
  ])("does not repeat %s", async (_name, errors, options) => {
    expect((await tried(errors, options)).tries).toHaveLength(1);
  });
});
