// What bash refuses before anything is started, in words a model can act on.
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@pluggableharness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltPlugin } from "./built-plugin.ts";

type Fields = { [key: string]: Json };

let plugin: BuiltPlugin;
beforeAll(async () => {
  plugin = await BuiltPlugin.launch();
});
afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
});

describe("bash refuses", () => {
  it.each<[string, Fields, RegExp]>([
    ["NUL [50]", { command: "echo a\0b" }, /^invalid_arguments: .*command: .*NUL/],
    [
      "a limit beyond the longest [C047]",
      { command: "true", timeout_ms: 999_999_999 },
      /^invalid_arguments: .*timeout_ms.*600000/,
    ],
    [
      "a folder that does not exist [C091, 51]",
      { command: "true", working_directory: "no/such" },
      /^not_found: .*no\/such/,
    ],
    ["a file as folder [51]", { command: "true", working_directory: "file" }, /^invalid_arguments: .*file/],
    ["a folder outside [51]", { command: "true", working_directory: "/etc" }, /^permission_denied: /],
    [
      "a link to the outside [C095, 51]",
      { command: "pwd -P", working_directory: "out" },
      /^permission_denied: /,
    ],
    ["a folder that was deleted [51]", { command: "true", working_directory: "gone" }, /^not_found: /],
  ])("%s", async (_name, args, words) => {
    writeFileSync(join(plugin.root, "file"), "");
    mkdirSync(join(plugin.root, "gone"), { recursive: true });
    rmSync(join(plugin.root, "gone"), { recursive: true });
    if (!existsSync(join(plugin.root, "out"))) symlinkSync("/etc", join(plugin.root, "out"));
    const outcome = await plugin.run("bash", args).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ category: expect.any(String) });
    // A ToolError by the line above.
    const { category, message } = outcome as { category: string; message: string };
    expect(`${category}: ${message}`).toMatch(words);
  });
});
