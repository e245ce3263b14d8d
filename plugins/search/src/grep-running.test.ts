// grep while it runs and where it refuses. Numbers in brackets name the reported cases.
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { Workspace } from "./testing/workspace.ts";

describe("grep refuses", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a bad pattern, with ripgrep's explanation", { pattern: "(" }, /unclosed group/],
    ["a bad pattern in one file too", { pattern: "(", path: "f" }, /unclosed group/],
    ["a bad pattern when it counts", { pattern: "(", mode: "count" }, /unclosed group/],
    ["a line feed without multiline", { pattern: "a\\nb" }, /multiline/],
    ["look-around, which it does not know", { pattern: "(?=x)" }, /look-around/],
    ["a pattern that grows too large", { pattern: "(?:\\w{1000}){1000}" }, /size limit/],
    ["an unknown type", { pattern: "x", type: "nope" }, /unrecognized file type: nope/],
    ["an empty pattern", { pattern: "" }, /^pattern: empty/],
    ["a NUL", { pattern: "a\0" }, /^pattern: holds a NUL/],
    ["a pattern longer than an argument", { pattern: "x".repeat(200_000) }, /^pattern: longer/],
    ["a glob that leads out", { pattern: "x", glob: "../*" }, /^glob: /],
    ["too much context", { pattern: "x", before: 1_000 }, /before/],
    ["an unknown mode", { pattern: "x", mode: "lines" }, /mode/],
  ])("%s", async (_name, input, words) => {
    using w = new Workspace();
    w.put("f", "x\n");
    const failure = await w.failure("grep", input);
    expect(failure).toMatchObject({ category: "invalid_arguments", message: expect.stringMatching(words) });
  });
});

describe("while it searches, grep", () => {
  it("passes on what it finds, and what it passes on is the result", async () => {
    using w = new Workspace();
    for (let index = 0; index < 50; index++) w.put(`d${index % 5}/${index}`, "needle\n");
    const { matches } = await w.run("grep", { pattern: "needle" });
    const partial = w.events.flatMap((event) =>
      event.type === "partial" ? (event.payload["matches"] as unknown[]) : [],
    );
    expect(new Set(partial.map((one) => JSON.stringify(one)))).toEqual(
      new Set(matches.map((one) => JSON.stringify(one))),
    );
  });

  it.each(["content", "files", "count"])(
    "keeps what it has where time runs out, in the mode %s [GR35]",
    async (mode) => {
      using w = new Workspace();
      w.put("a", "needle\n");
      const controller = new AbortController();
      controller.abort(new ToolError("timeout", "time is up"));
      const found = await w.run("grep", { pattern: "needle", mode }, { signal: controller.signal });
      expect(found).toMatchObject({ timed_out: true, truncated: true });
      const files = await w.run("glob", { pattern: "*" }, { signal: controller.signal });
      expect(files).toMatchObject({ timed_out: true, truncated: true });
    },
  );

  it("ends at a cancellation with its reason", async () => {
    using w = new Workspace();
    // Holes take no room and much time.
    truncateSync(w.put("big", "text\n".repeat(2_000)), 200 * 1024 ** 3);
    const reason = new ToolError("cancelled", "nobody waits");
    const running = w.failure("grep", { pattern: "needle" }, { signal: AbortSignal.any([after(reason)]) });
    expect(await running).toBe(reason);
  });

  it("is not misled by ripgrep's configuration of the user [GR31]", async () => {
    using w = new Workspace();
    w.put("f", "needle\nneedle\n");
    writeFileSync(join(w.base, "rc"), "--max-count=1\n");
    const before = process.env["RIPGREP_CONFIG_PATH"];
    process.env["RIPGREP_CONFIG_PATH"] = join(w.base, "rc");
    try {
      expect(await w.lines({ pattern: "needle" })).toHaveLength(2);
    } finally {
      if (before === undefined) delete process.env["RIPGREP_CONFIG_PATH"];
      else process.env["RIPGREP_CONFIG_PATH"] = before;
    }
  });

  it("matches long alternatives over lines in bounded time [GR21]", async () => {
    using w = new Workspace();
    w.put("f.go", `${"func a() {\n  x\n}\n".repeat(500)}`);
    const pattern = "^func .*\\n(?:.*\\n){0,40}?.*id";
    expect(await w.lines({ pattern, multiline: true })).toEqual([]);
  });
});

it("grep searches every root's working directory, and one root without one", async () => {
  using w = new Workspace();
  w.put("f", "x\n");
  expect(await w.lines({ pattern: "x" }, { workingDirectory: "" })).toEqual([`${join(w.root, "f")}:1:x`]);
  mkdirSync(join(w.base, "second"));
  using two = new Workspace({ roots: [w.root, join(w.base, "second")] });
  const failure = await two.failure("grep", { pattern: "x" }, { workingDirectory: "" });
  expect(failure.message).toContain(JSON.stringify(w.root));
});

function after(reason: ToolError): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  return controller.signal;
}
