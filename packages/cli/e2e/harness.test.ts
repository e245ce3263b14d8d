// The `harness` command as a person runs it, against the built filesystem plugin.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { echoPlugin } from "../../plugin/e2e/plugin-under-test.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function harness(args: readonly string[], { stdin = "", cwd = process.cwd() } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, ["--conditions=source", main, ...args], { cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(stdin);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

const call = (operation: string, args: string, ...options: string[]) =>
  harness([
    "call",
    "filesystem",
    operation,
    args,
    "--cwd",
    folder,
    "--config",
    JSON.stringify({ roots: [folder] }),
    ...options,
  ]);

describe("harness", () => {
  it("tour does what it says, without a terminal and without escapes", async () => {
    const { code, stdout, stderr } = await harness(["tour"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.match(/^✓ /gm)).toHaveLength(5);
    expect(stdout.match(/^✗ /gm)).toHaveLength(2);
    expect(stdout).not.toContain("\u001b");
  });

  it("schema names every operation with its arguments, as text and as JSON", async () => {
    const { stdout } = await harness(["schema", "filesystem"]);
    for (const words of [
      "edit_file\n  resource, moderate",
      "path: string. ",
      "replace_all: boolean, optional. ",
      "roots: list_string, required. ",
      'protect: list_string, optional, default [".git"]. ',
    ]) {
      expect(stdout).toContain(words);
    }
    const json = JSON.parse((await harness(["schema", "filesystem", "--json"])).stdout);
    expect(json.tools.map(({ name }: { name: string }) => name)).toContain("undo_edit");
  });

  it("ends quietly where its reader has seen enough", async () => {
    const command = `"${process.execPath}" --conditions=source "${main}" schema filesystem | head -n 1`;
    const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(stderr).toBe("");
  });

  it("call shows a preview without doing anything, then does it and renders it", async () => {
    writeFileSync(join(folder, "f.txt"), "one\ntwo\n");
    const args = JSON.stringify({ path: "f.txt", old_string: "two", new_string: "2" });
    const preview = await call("edit_file", args, "--preview");
    expect([preview.code, preview.stdout]).toEqual([
      0,
      "Edit f.txt (+1 −1)\n1 1   one\n2   - two\n  2 + 2\n",
    ]);
    expect(readFileSync(join(folder, "f.txt"), "utf8")).toBe("one\ntwo\n");
    const done = await call("edit_file", args);
    expect(done.stdout).toContain("Edited f.txt (+1 −1)");
    expect(readFileSync(join(folder, "f.txt"), "utf8")).toBe("one\n2\n");
  });

  it("call takes its arguments from standard input or a file, and prints JSON where asked", async () => {
    writeFileSync(join(folder, "f.txt"), "x\n");
    const args = JSON.stringify({ path: "f.txt" });
    writeFileSync(join(folder, "args.json"), args);
    const config = ["--cwd", folder, "--config", JSON.stringify({ roots: [folder] }), "--json"];
    const piped = await harness(["call", "filesystem", "read_file", "-", ...config], { stdin: args });
    const filed = await harness([
      "call",
      "filesystem",
      "read_file",
      `@${join(folder, "args.json")}`,
      ...config,
    ]);
    expect(JSON.parse(piped.stdout)).toMatchObject({ result: { payload: { content: "     1→x" } } });
    expect(filed.stdout).toBe(piped.stdout);
  });

  it.each([
    ["a tool's error", ["read_file", '{"path":"none"}'], 1, "not_found: "],
    ["arguments that are no JSON", ["read_file", "{path}"], 2, "the arguments are not JSON"],
    ["arguments that are no object", ["read_file", "[1]"], 2, "must be a JSON object"],
  ])("call tells %s by its exit code and words", async (_name, [operation = "", args = ""], code, words) => {
    const outcome = await call(operation, args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(words);
    const json = await call(operation, args, "--json");
    const isToolError = code === 1;
    expect(JSON.parse(json.stderr)).toMatchObject({
      message: expect.any(String),
      ...(isToolError && { category: "not_found", retryable: false }),
    });
  });

  it.each([
    [["call", "nothing-here", "x", "{}"], "there is no plugin"],
    [["call", "/bin/ls", "x", "{}"], "cannot launch /bin/ls"],
    [["call", "filesystem"], "missing required argument"],
    [["call", "filesystem", "read_file", "{}", "--timeout-ms", "soon"], "is no number of milliseconds"],
  ])("%j ends with 2 and says why", async (args, words) => {
    const { code, stderr } = await harness(args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    const json = await harness([...args, "--json"]);
    expect([json.code, JSON.parse(json.stderr)]).toEqual([2, { message: expect.stringContaining(words) }]);
  });

  it("takes a short name for the plugin and not for a folder of that name, and --cwd from where it is", async () => {
    mkdirSync(join(folder, "filesystem"));
    writeFileSync(join(folder, "filesystem", "f.txt"), "here\n");
    const args = ["call", "filesystem", "read_file", '{"path":"f.txt"}', "--cwd", "filesystem"];
    const { code, stdout } = await harness(args, { cwd: folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining("here")]);
  });

  it("shows output as it comes, without breaking characters or lines", async () => {
    const args = JSON.stringify({ chunks: 3, bytes: 2 });
    const { stdout } = await harness(["call", echoPlugin(), "count", args, "--config", '{"greeting":"hi"}']);
    expect(stdout).toBe("starting\naaaaaa\n3 sent\n");
  });
});
