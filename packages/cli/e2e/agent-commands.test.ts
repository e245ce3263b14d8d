// `harness plan` and `harness run` with the agent of a file and the filesystem plugin as it is shipped.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deskPlugin } from "../../host/e2e/desk-plugin.ts";
import { stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const checkout = fileURLToPath(new URL("../../..", import.meta.url));
let folder = "";
let temporary = "";
beforeEach(() => {
  folder = temporaryFolder();
  temporary = temporaryFolder();
  writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
});
afterEach(async () => {
  expect(readdirSync(temporary)).toEqual([]);
  await stopAll();
});

async function harness(args: readonly string[], { stdin = "", cwd = folder } = {}) {
  const child = spawn(process.execPath, ["--conditions=source", main, ...args], {
    cwd,
    env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, TMPDIR: temporary },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(stdin);
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

/** Writes the agent and its calls, and gives their names. */
function files(calls: readonly object[], more = ""): [string, string] {
  writeFileSync(
    join(folder, "agent.hcl"),
    `provider "filesystem" {\n  roots = ["."]\n}\nprovider "desk" {\n  greeting = "hello"\n}\n${more}`,
  );
  writeFileSync(join(folder, "calls.json"), JSON.stringify(calls));
  return ["agent.hcl", "calls.json"];
}

const desk = ["--plugin", `desk=${deskPlugin()}`];
const edit = { path: "a.txt", old_string: "one", new_string: "1" };
const read = { tool_name: "read_file", arguments: { path: "a.txt" } };

describe("harness plan", () => {
  it("says of each call who decides and what it would do, and does nothing", async () => {
    const calls = [read, { provider: "filesystem", tool_name: "edit_file", arguments: edit }];
    const more = `policy "careful" {\n  match  = { risk = "moderate" }\n  action = "deny"\n}\n`;
    const { code, stdout, stderr } = await harness(["plan", ...files(calls, more), ...desk]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^1\. filesystem\.read_file: data_source, read_only, allow \(default\)\n/);
    expect(stdout).toContain(
      "\n2. filesystem.edit_file: resource, moderate, deny (careful)\nEdit a.txt (+1 −1)\n1   - one\n",
    );
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });

  it("prints JSON lines where asked, and tells what cannot be planned by its exit code", async () => {
    const calls = [
      { tool_name: "edit_file", arguments: edit },
      { tool_name: "burn" },
      { id: "mine", tool_name: "read_file", arguments: {} },
      { tool_name: "stamp", arguments: { page: "1" } },
    ];
    const { code, stdout } = await harness(["plan", ...files(calls), ...desk, "--json"]);
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      {
        item: {
          toolCallId: "call-1",
          provider: "filesystem",
          decision: "PLAN_DECISION_ASK",
          decidedBy: "default",
          preview: {},
        },
      },
      { tool_call_id: "call-2", tool_name: "burn", error: { category: "not_found" } },
      {
        tool_call_id: "mine",
        error: { category: "invalid_arguments", message: expect.stringContaining("path") },
      },
      { item: { toolName: "stamp" }, no_preview: "timeout: no result within 5000 ms" },
    ]);
  });

  it("goes on without a provider that cannot be started, and says so", async () => {
    const { code, stdout, stderr } = await harness(["plan", ...files([read])]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('the provider "desk" is not in the lock file'),
    ]);
    expect(stdout).toContain("filesystem.read_file");
  });

  it("works on the examples of this checkout", async () => {
    const { code, stdout } = await harness(["plan", "examples/agent.hcl", "examples/calls.json"], {
      cwd: checkout,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("3. filesystem.edit_file: resource, moderate, ask (changes)");
  });

  it.each([
    [["plan", "none.hcl", "calls.json"], "none.hcl"],
    [["plan", "agent.hcl", "none.json"], "none.json"],
    [["plan", "agent.hcl", "agent.hcl"], "is not JSON"],
    [["plan", "agent.hcl", "calls.json", "--profile", "none"], "agent_profile"],
    [["plan", "agent.hcl", "calls.json", "--plugin", "desk"], "must be name=path"],
    [["run", "calls.json"], "calls.json:1:"],
  ])("%j ends with 2 and says why", async (args, words) => {
    files([]);
    const { code, stderr } = await harness(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe("harness run", () => {
  it("edits a file as a person allows it, and shows it", async () => {
    const stdin = `edit_file\na.txt\none\n1\n\n\na\nread_file {"path":"a.txt"}\nquit\n`;
    const { code, stdout, stderr } = await harness(["run", files([])[0], ...desk], { stdin });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Edit a.txt (+1 −1)\n1   - one\n  1 + 1\n");
    expect(stdout).toContain("Edited a.txt (+1 −1)");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("1\ntwo\n");
  });

  it("offers what the profile offers", async () => {
    const more = `agent_profile "reader" {\n  tools = ["filesystem.read_file"]\n}\n`;
    const stdin = `edit_file ${JSON.stringify(edit)}\n`;
    const { stdout } = await harness(["run", files([], more)[0], ...desk, "--profile", "reader"], { stdin });
    expect(stdout).toContain('there is no operation "edit_file"; there are filesystem.read_file');
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });
});
