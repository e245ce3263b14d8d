// The built plugin as a process, fed with what a confused model or a broken host sends. Every call gets an answer of
// the right category, and the plugin goes on serving.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import { isToolError, type Json } from "@pluggableharness/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const executable = fileURLToPath(new URL("../dist/plugin-tool-filesystem", import.meta.url));
const operations = [
  "read_file",
  "list_directory",
  "write_file",
  "edit_file",
  "multi_edit",
  "undo_edit",
] as const;

const base = realpathSync(mkdtempSync(join(tmpdir(), "bad-input-")));
const root = join(base, "root");
let plugin: PluginProcess;

beforeAll(async () => {
  mkdirSync(root);
  writeFileSync(join(base, "outside.txt"), "outside\n");
  plugin = await PluginProcess.launch(executable);
  await plugin.configure({ roots: [root] });
});

afterAll(async () => {
  await plugin.close();
  rmSync(base, { recursive: true, force: true });
});

type Arguments = { [key: string]: Json };

/** `result`, or the category and message of the error. */
async function outcome(
  toolName: string,
  args: Arguments,
  callContext: object | undefined = context,
): Promise<string> {
  try {
    const call = { id: "call", toolName, arguments: args, ...(callContext !== undefined && { callContext }) };
    for await (const event of plugin.invoke(call)) if (event.case === "result") return "result";
    return "nothing";
  } catch (error) {
    if (isToolError(error)) return `${error.category}: ${error.message}`;
    throw error;
  }
}

const context = { sessionId: "s", turnId: "t", workingDirectory: root };

describe("the filesystem plugin answers", () => {
  const deep = (levels: number): Json => (levels === 0 ? "x" : { deep: deep(levels - 1) });

  it.each<[string, string, Arguments, RegExp]>([
    [
      "an unknown operation",
      "delete_file",
      {},
      /^not_found: filesystem has no operation "delete_file"; it has: read_file, /,
    ],
    ["no operation", "", {}, /^not_found: /],
    ["no arguments", "read_file", {}, /^invalid_arguments: read_file: path: required string is missing/],
    [
      "null",
      "read_file",
      { path: null },
      /^invalid_arguments: .*path: expected string, got null; leave the property out/,
    ],
    [
      "a number as a string",
      "read_file",
      { path: "f", offset: "1" },
      /^invalid_arguments: .*offset: expected whole number/,
    ],
    [
      "a wrong type deep inside",
      "multi_edit",
      { path: "f", edits: [{ old_string: "a", new_string: 1 }] },
      /edits\[0\]\.new_string: expected string, got number 1/,
    ],
    ["no edits", "multi_edit", { path: "f", edits: [] }, /^(invalid_arguments|not_found): /],
    ["NUL in a path", "read_file", { path: "a\0b" }, /^invalid_arguments: .*NUL/],
    [
      "a path of 10 MB",
      "read_file",
      { path: "x".repeat(10_000_000) },
      /^invalid_arguments: .*longer than 4096 bytes/,
    ],
    [
      "an old_string of 10 MB",
      "edit_file",
      { path: "none", old_string: "x".repeat(10_000_000), new_string: "" },
      /^not_found: /,
    ],
    ["a hundred levels of nesting", "read_file", { path: "none", extra: deep(100) }, /^not_found: /],
    [
      "inherited names",
      "read_file",
      JSON.parse('{"__proto__":{"path":"f"},"constructor":1}'),
      /^invalid_arguments: .*path: required/,
    ],
    ["a path outside", "read_file", { path: "../outside.txt" }, /^permission_denied: /],
    ["a URL", "read_file", { path: "file:///etc/passwd" }, /^not_found: /],
    ["a home directory", "read_file", { path: "~/x" }, /^not_found: /],
    ["an encoded path", "read_file", { path: "%2e%2e/outside.txt" }, /^not_found: /],
    ["an infinite number", "read_file", { path: "f", offset: 1e300 }, /^invalid_arguments: .*whole number/],
  ])("%s with the right category and words", async (_name, operation, args, words) => {
    const answer = await outcome(operation, args);
    expect(answer).toMatch(words);
    expect(answer.length).toBeLessThan(1_000);
  });

  it("a call without context, and one whose working directory is gone, with what to do [65]", async () => {
    writeFileSync(join(root, "f"), "text\n");
    expect(await outcome("read_file", { path: join(root, "f") }, {})).toBe("result");
    for (const workingDirectory of ["", "relative", join(root, "gone"), base]) {
      const answer = await outcome("read_file", { path: "f" }, { sessionId: "s", workingDirectory });
      expect(answer).toMatch(/^(invalid_arguments|permission_denied): /);
    }
  });

  it("any arguments at all, without touching what is outside", async () => {
    const path = fc.oneof(
      fc.constantFrom(
        "f",
        ".",
        "..",
        "../outside.txt",
        "/etc/passwd",
        "",
        "a/b",
        "\0",
        "f/x",
        join(base, "outside.txt"),
      ),
      fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed()),
    );
    const value = fc.oneof(
      path,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(path, { maxLength: 3 }),
    );
    const fields = [
      "path",
      "content",
      "old_string",
      "new_string",
      "replace_all",
      "edits",
      "offset",
      "limit",
      "depth",
      "expected_sha256",
    ];
    const args = fc.dictionary(fc.constantFrom(...fields, "other"), value);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), args, async (operation, given) => {
        const sent = JSON.parse(JSON.stringify(given)) as Arguments; // JSON as a host sends it
        expect(await outcome(operation, sent)).toMatch(/^(result|[a-z_]+: )/);
        const preview = await plugin
          .preview({ toolName: operation, arguments: sent, callContext: context })
          .catch((error: unknown) => error);
        if (preview instanceof Error) expect(isToolError(preview)).toBe(true);
        expect(readFileSync(join(base, "outside.txt"), "utf8")).toBe("outside\n");
      }),
      { numRuns: 300 },
    );
  });

  it("raw bytes on its socket by serving on", async () => {
    const second = await PluginProcess.launch(executable);
    try {
      const socketPath = second.address.network === "unix" ? second.address.path : "";
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
          await new Promise<void>((resolve) => {
            const socket = net.connect(socketPath, () => socket.end(bytes));
            socket.on("error", () => {});
            socket.resume();
            socket.once("close", () => resolve());
          });
        }),
        { numRuns: 100 },
      );
      expect(await second.describe()).toMatchObject({ name: "filesystem" });
    } finally {
      await second.close();
    }
  });
});

describe("Configure refuses", () => {
  it.each<[string, Arguments, RegExp]>([
    ["nothing at all", {}, /roots: required array is missing/],
    ["no roots", { roots: [] }, /root/],
    ["a root that does not exist", { roots: [join(base, "none")] }, /none/],
    ["a root that is a file", { roots: [join(base, "outside.txt")] }, /outside\.txt/],
    ["a rule that takes another back", { roots: [root], protect: ["!.git"] }, /protect/],
    ["a wrong type", { roots: root }, /roots: expected array, got string/],
    [
      "a negative depth",
      { roots: [root], undo_depth: -1 },
      /undo_depth: expected whole number of at least 0/,
    ],
  ])("%s, and says what is wrong", async (_name, config, words) => {
    await using fresh = await PluginProcess.launch(executable);
    await expect(fresh.configure(config)).rejects.toMatchObject({
      category: "invalid_arguments",
      message: expect.stringMatching(words),
    });
  });
});
