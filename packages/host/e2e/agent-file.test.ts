// An agent from its files to a turn: agent.hcl, the user's configuration, the lock file and an installed plugin.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";
import { Agent, type AgentFiles, installedPath, thisPlatform } from "../src/index.ts";
import { deskPlugin } from "./desk-plugin.ts";

const opened: Agent[] = [];
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((agent) => agent.close()));
  await stopAll();
});

const source = "example.org/desk";
const agentHcl = `
required_providers {
  desk = {
    source  = "${source}"
    version = "~> 1.0"
  }
}
provider "desk" {
  greeting = "hello"
  key      = env("DESK_KEY")
}
policy "stamps" {
  match  = { tool_name = "stamp" }
  action = "allow"
}
agent_profile "careful" {
  tools = ["desk.note", "desk.stamp"]
}
`;

async function open(files: Partial<AgentFiles> = {}, hcl = agentHcl): Promise<Agent> {
  const agentFile = join(folder, "agent.hcl");
  writeFileSync(agentFile, hcl);
  const environment = { DESK_KEY: "k", XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const agent = await Agent.open({ agentFile, environment, ...files });
  opened.push(agent);
  return agent;
}

/** Installs the desk, and locks it with this checksum. */
function install(checksum: (path: string) => string): void {
  const path = installedPath(source, "1.0.0", thisPlatform(), { XDG_CACHE_HOME: folder });
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(deskPlugin(), path);
  mkdirSync(join(folder, ".agent"));
  writeFileSync(
    join(folder, ".agent", "agent.lock.hcl"),
    `lock_file_version = 1
    provider "desk" {
      source      = "${source}"
      version     = "1.0.0"
      resolved_at = "2026-07-01T00:00:00Z"
      checksums   = { "${thisPlatform()}" = "sha256:${checksum(path)}" }
    }`,
  );
}

const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
const stamp = { id: "1", provider: "desk", operation: "stamp", arguments: { page: "1" } };

describe("an agent of files", () => {
  it("uses the working copy that the user names, its policy and its profile", async () => {
    mkdirSync(join(folder, "agent"));
    writeFileSync(join(folder, "agent", "config.hcl"), `dev_overrides {\n  desk = "${deskPlugin()}"\n}\n`);
    const agent = await open({ profile: "careful" });
    const { operations } = await agent.operations();
    expect(operations.map(({ name }) => name)).toEqual(["note", "stamp"]);
    const { outcomes } = await agent.run(
      [stamp, { ...stamp, operation: "note" }, { ...stamp, operation: "lie" }],
      {
        timeoutMs: 10_000,
      },
    );
    expect(outcomes).toMatchObject([
      { outcome: "applied", payload: { text: "hello" }, planned: { item: { decidedBy: "stamps" } } },
      { outcome: "denied" },
      { outcome: "failed", error: { category: "not_found" } },
    ]);
  });

  it("uses what is installed and locked", async () => {
    install(sha256);
    expect((await (await open()).run([stamp])).outcomes).toMatchObject([{ outcome: "applied" }]);
  });

  it("does not start a plugin that is not the locked one", async () => {
    install(() => "0".repeat(64));
    expect((await (await open()).run([stamp])).outcomes).toMatchObject([
      { outcome: "failed", error: { message: expect.stringContaining("is not the locked provider") } },
    ]);
  });

  it.each<[string, Partial<AgentFiles>, string]>([
    ["is nowhere", {}, 'the provider "desk" is not in the lock file'],
    ["lacks its secret", { overrides: { desk: deskPlugin() }, environment: {} }, "DESK_KEY is not set"],
  ])("opens where a plugin %s, and says so at its calls", async (_how, files, words) => {
    const { operations, failures } = await (await open(files)).operations();
    expect(operations).toEqual([]);
    expect(failures).toMatchObject([
      { provider: "desk", error: { message: expect.stringContaining(words) } },
    ]);
  });

  it("starts a plugin once what it lacked is there", async () => {
    const environment: { DESK_KEY?: string } = {};
    const agent = await open({ overrides: { desk: deskPlugin() }, environment });
    for (let time = 0; time < 2; time++) {
      const { failures } = await agent.operations();
      expect(failures[0]?.error.message.match(/is not set/g)).toHaveLength(1);
    }
    environment.DESK_KEY = "k";
    expect((await agent.operations()).failures).toEqual([]);
  });

  it("takes an executable for what is not locked, where it is given one", async () => {
    const agent = await open({ unlocked: (name) => (name === "desk" ? deskPlugin() : undefined) });
    expect((await agent.run([stamp])).outcomes).toMatchObject([{ outcome: "applied" }]);
  });

  it.each([
    ["a mistake in the file", {}, `${agentHcl}\npolicy "x" { action = "maybe" }`, "agent.hcl:20:"],
    ["no such profile", { profile: "carful" }, agentHcl, 'did you mean "careful"?'],
    ["no file", { agentFile: "/nowhere/agent.hcl" }, agentHcl, "/nowhere/agent.hcl"],
  ])("does not open with %s", async (_what, files, hcl, words) => {
    await expect(open(files, hcl)).rejects.toThrow(words);
  });
});
