import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askApproval } from "./approval.ts";

/** Asks a person who types `typed`; `undefined` ends the input. */
function ask(
  typed: readonly (string | undefined)[],
  { isTTY = true, signal = new AbortController().signal } = {},
) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough().resume(), { isTTY });
  const approval = askApproval("Apply?", { input, output, signal });
  for (const line of typed) {
    if (line === undefined) input.end();
    else input.write(`${line}\r`);
  }
  return approval;
}

describe("askApproval", () => {
  it.each([
    ["yes", "approved"],
    ["Y", "approved"],
    ["", "approved"],
    ["n", "refused"],
    [" NO ", "refused"],
    [undefined, "refused"],
  ])("takes %j as %s", async (typed, approval) => {
    expect(await ask([typed])).toBe(approval);
  });

  it("asks again until it understands", async () => {
    expect(await ask(["what?", "yesterday", "n"])).toBe("refused");
  });

  it("asks nobody where there is no terminal", async () => {
    expect(await ask([], { isTTY: false })).toBe("nobody to ask");
  });

  it("stops asking where it is interrupted", async () => {
    const abort = new AbortController();
    const approval = ask([], { signal: abort.signal });
    abort.abort(new Error("interrupted"));
    await expect(approval).rejects.toThrow("interrupted");
    await expect(ask(["y"], { signal: abort.signal })).rejects.toThrow("interrupted");
  });
});
