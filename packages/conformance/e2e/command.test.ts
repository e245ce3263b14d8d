// `toolconform` as its user meets it: exit codes, reports, mistakes in its options.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { notesPlugin } from "../fixtures/build-notes.ts";
import { allChecks } from "../src/index.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const recipe = fileURLToPath(new URL("../fixtures/notes/recipe.json", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolconform-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function toolconform(...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, ["--conditions=source", main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

function file(name: string, content: string, mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe("toolconform", () => {
  it("ends with 0 where nothing failed, and prints what it saw", async () => {
    const { code, stdout } = await toolconform("--config", recipe, "--only", "describe", notesPlugin());
    expect(stdout).toContain("pass  describe.name");
    expect(stdout).toContain("5 passed, 0 failed, 0 not reached");
    expect(code).toBe(0);
  });

  it("ends with 1 where something failed, with the rule that is broken", async () => {
    const broken = file("broken.json", JSON.stringify({ environment: { NOTES_DEFECT: "describe.name" } }));
    const { code, stdout } = await toolconform("--config", broken, "--only", "describe", notesPlugin());
    expect(stdout).toContain("FAIL  describe.name");
    expect(stdout).toContain("Describe names the plugin.");
    expect(code).toBe(1);
  });

  it("prints JSON, and nothing else, when asked to; and writes JUnit beside it", async () => {
    const junit = join(folder, "report.xml");
    const { stdout } = await toolconform(
      "--json",
      "--junit",
      junit,
      "--only",
      "describe.name",
      notesPlugin(),
    );
    expect(JSON.parse(stdout)).toMatchObject({ passed: 1, failed: 0, checks: [{ id: "describe.name" }] });
    expect(readFileSync(junit, "utf8")).toContain('tests="1" failures="0"');
  });

  it("lists its checks", async () => {
    const { stdout } = await toolconform("--list");
    expect(stdout.trim().split("\n")).toHaveLength(allChecks.length);
  });

  it("says of a program that is no plugin what it saw, and does not hang on it", async () => {
    const banner = file("banner", "#!/bin/sh\necho Welcome to my plugin\nsleep 60\n", 0o755);
    const { code, stdout } = await toolconform(
      "--only",
      "handshake.first-line",
      "--only",
      "describe.name",
      banner,
    );
    expect(stdout).toContain('its first line was "Welcome to my plugin"');
    expect(stdout).toContain("FAIL  describe.name");
    expect(code).toBe(1);
  });

  it("says of a program that forgets the line feed that it did", async () => {
    const silent = file("no-line-feed", "#!/bin/sh\nprintf '1|1|unix|/tmp/s|grpc|'\nsleep 60\n", 0o755);
    const { stdout } = await toolconform("--only", "handshake.first-line", "--start-timeout", "0.5", silent);
    expect(stdout).toContain("without a line feed, for which the host waits");
  });

  it.each([
    ["no plugin", [], "name one plugin"],
    ["two plugins", ["a", "b"], "name one plugin"],
    ["a plugin that is not there", [join(folder, "nothing")], "cannot be executed: ENOENT"],
    ["a folder", [folder], "cannot be executed: it is no file"],
    ["a check that does not exist", ["--only", "no.such", notesPlugin()], 'there is no check "no.such"'],
    ["an option that does not exist", ["--frobnicate", "x"], "Unknown option '--frobnicate'"],
    ["a time that is none", ["--start-timeout", "soon", notesPlugin()], "takes a number of seconds"],
    [
      "a recipe that is not there",
      ["--config", join(folder, "none.json"), notesPlugin()],
      "none.json: ENOENT",
    ],
  ])("ends with 2 and says why for %s", async (_name, args, words) => {
    const { code, stderr } = await toolconform(...args);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  it("ends with 2 for a recipe with a mistake, and names the field", async () => {
    const wrong = file("wrong.json", '{"calls": {"a": {"args": {}}}}');
    const { code, stderr } = await toolconform("--config", wrong, notesPlugin());
    expect(stderr).toContain('wrong.json: calls.a: unknown field "args"');
    expect(code).toBe(2);
  });
});
