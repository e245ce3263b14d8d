// The built plugin as a process, fed with what a confused model or a broken host sends. Every call gets an answer of the
// right category, nothing outside is told, and the plugin goes on serving.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import { isToolError, type Json } from "@pluggableharness/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const executable = fileURLToPath(new URL("../dist/plugin-tool-search", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "bad-input-")));
const root = join(base, "root");
const context = { sessionId: "s", turnId: "t", workingDirectory: root };
let plugin: PluginProcess;

beforeAll(async () => {
  mkdirSync(root);
  writeFileSync(join(root, "f.txt"), "needle\n");
  writeFileSync(join(base, "outside.txt"), "outside-text\n");
  plugin = await PluginProcess.launch(executable);
  await plugin.configure({ roots: [root] });
});

afterAll(async () => {
  await plugin.close();
  rmSync(base, { recursive: true, force: true });
});

type Arguments = { [key: string]: Json };

/** `result` with its payload, or the category and message of the error. */
async function outcome(toolName: string, args: Arguments, callContext: object = context): Promise<string> {
  try {
    for await (const event of plugin.invoke({ id: "call", toolName, arguments: args, callContext }))
      if (event.case === "result") return `result: ${JSON.stringify(event.value.payload)}`;
    return "nothing";
  } catch (error) {
    if (isToolError(error)) return `${error.category}: ${error.message}`;
    throw error;
  }
}

describe("the search plugin answers", () => {
  it.each<[string, string, Arguments, RegExp]>([
    ["an unknown operation", "find", {}, /^not_found: search has no operation "find"; it has: glob, grep/],
    ["no arguments", "glob", {}, /^invalid_arguments: glob: pattern: required string is missing/],
    ["null", "grep", { pattern: null }, /^invalid_arguments: .*pattern: expected string, got null/],
    [
      "a number as a string",
      "grep",
      { pattern: "x", limit: "1" },
      /^invalid_arguments: .*limit: expected whole number/,
    ],
    ["no results at all", "glob", { pattern: "*", limit: 0 }, /^invalid_arguments: .*limit/],
    ["an unknown order", "glob", { pattern: "*", sort: "size" }, /^invalid_arguments: .*sort/],
    [
      "a pattern of 10 MB",
      "grep",
      { pattern: "x".repeat(10_000_000) },
      /^invalid_arguments: pattern: longer than/,
    ],
    [
      "a glob of 10 MB",
      "glob",
      { pattern: "x".repeat(10_000_000) },
      /^invalid_arguments: pattern: longer than/,
    ],
    ["NUL in a path", "grep", { pattern: "x", path: "a\0b" }, /^invalid_arguments: .*NUL/],
    ["a path outside", "grep", { pattern: "x", path: "../outside.txt" }, /^permission_denied: /],
    ["a path that is missing", "glob", { pattern: "*", path: "none" }, /^not_found: /],
    ["a home directory", "glob", { pattern: "*", path: "~" }, /^not_found: /],
    [
      "an offset beyond everything",
      "grep",
      { pattern: "needle", offset: 1_000_000 },
      /^result: .*"matches":\[\]/,
    ],
    ["nothing found", "grep", { pattern: "absent" }, /^result: .*"total":0/],
  ])("%s with the right category and words", async (_name, operation, args, words) => {
    const answer = await outcome(operation, args);
    expect(answer).toMatch(words);
    expect(answer.length).toBeLessThan(1_000);
  });

  it("a call whose working directory is missing, gone or outside, with what to do", async () => {
    for (const workingDirectory of ["relative", join(root, "gone"), base])
      expect(await outcome("glob", { pattern: "*" }, { sessionId: "s", workingDirectory })).toMatch(
        /^(invalid_arguments|permission_denied): /,
      );
  });

  it("any arguments at all, without a word of what is outside", async () => {
    const text = fc.oneof(
      fc.constantFrom(
        "f.txt",
        ".",
        "..",
        "../outside.txt",
        "/etc/passwd",
        "",
        "**/*",
        "[",
        "{a,",
        "(",
        "\0",
        "-e",
        base,
      ),
      fc.string({ unit: "binary", maxLength: 12 }).filter((one) => one.isWellFormed()),
    );
    const value = fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 2 }),
    );
    const fields = [
      "pattern",
      "path",
      "glob",
      "type",
      "mode",
      "case",
      "limit",
      "offset",
      "multiline",
      "before",
      "sort",
    ];
    const args = fc.dictionary(fc.constantFrom(...fields, "other"), value);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("glob", "grep"), args, async (operation, given) => {
        const sent = JSON.parse(JSON.stringify({ pattern: "x", ...given })) as Arguments; // JSON as a host sends it
        const answer = await outcome(operation, sent);
        expect(answer).toMatch(/^(result|[a-z_]+): /);
        expect(answer).not.toMatch(/^unknown|outside-text/);
        const preview = await plugin
          .preview({ toolName: operation, arguments: sent, callContext: context })
          .catch((error: unknown) => error);
        if (preview instanceof Error) expect(isToolError(preview)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("Configure refuses", () => {
  it.each<[string, Arguments, RegExp]>([
    ["nothing at all", {}, /roots: required array is missing/],
    ["no roots", { roots: [] }, /root/],
    ["a root that does not exist", { roots: [join(base, "none")] }, /none/],
    ["a rule that takes another back", { roots: [root], hide: ["!x"] }, /hide/],
    ["a page of nothing", { roots: [root], max_results: 0 }, /max_results/],
  ])("%s, and says what is wrong", async (_name, config, words) => {
    await using fresh = await PluginProcess.launch(executable);
    await expect(fresh.configure(config)).rejects.toMatchObject({
      category: "invalid_arguments",
      message: expect.stringMatching(words),
    });
  });
});
