import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadAgentFile, parseAgentFile } from "./agent-file.ts";
import { MAX_FILE_BYTES } from "./hcl-document.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = `
required_providers {
  filesystem = { source = "github.com/pluggableharness/plugin-tool-filesystem", version = "~> 0.1" }
  search     = { source = "github.com/pluggableharness/plugin-tool-search" }
}
provider "filesystem" {
  roots = ["."]
}
policy "reads" {
  match  = { kind = "data_source" }
  action = "allow"
}
policy "no-writes" {
  match  = { provider = "filesystem", tool_name = "write_file", risk = "moderate" }
  action = "deny"
}
agent_profile "default" {
  tools = ["filesystem.*", "search.grep"]
  model = "big"
}
hook "session_end" {
  provider = "filesystem"
}
hook "session_end" {
  provider = "search"
}
settings {
  max_turns = 7
}
`;

describe("agent.hcl", () => {
  it("is read whole", async () => {
    const file = await parseAgentFile("agent.hcl", good);
    expect([...file.requiredProviders]).toEqual([
      ["filesystem", { source: "github.com/pluggableharness/plugin-tool-filesystem", version: "~> 0.1" }],
      ["search", { source: "github.com/pluggableharness/plugin-tool-search", version: undefined }],
    ]);
    expect([...file.providers.keys()]).toEqual(["filesystem"]);
    expect(file.profiles.get("default")).toEqual({
      name: "default",
      tools: ["filesystem.*", "search.grep"],
      others: { model: "big" },
    });
    expect(file.hooks).toEqual([
      { point: "session_end", attributes: { provider: "filesystem" } },
      { point: "session_end", attributes: { provider: "search" } },
    ]);
    expect(file.settings).toEqual({ max_turns: 7 });
    const write = {
      kind: "resource",
      provider: "filesystem",
      toolName: "write_file",
      risk: "moderate",
    } as const;
    expect(file.policy.decide(write)).toMatchObject({ action: "deny", decidedBy: "no-writes" });
  });

  it.each([
    [
      'model "x" {\n}',
      '1:1: unknown block "model"; it is one of required_providers, provider, policy, agent_profile, hook, settings',
    ],
    ['\n  provder "x" {\n}', '2:3: unknown block "provder"; did you mean "provider"?'],
    [
      "x = 1",
      '1:1: the attribute "x" has no place at the top; there are only blocks: required_providers, provider, policy, agent_profile, hook, settings',
    ],
    ['constructor "x" {\n}', '1:1: unknown block "constructor"; it is one of required_providers,'],
    ["toString {\n}", '1:1: unknown block "toString"; it is one of required_providers,'],
    ["__proto__ {\n}", '1:1: unknown block "__proto__"; it is one of required_providers,'],
    ["provider {\n}", '1:1: the block "provider" takes one label, its name, and has 0'],
    ['settings "a" {\n}', '1:1: the block "settings" takes no label, and has 1'],
    ['provider "a" {\n}\nprovider {\n}', '3:1: the blocks "provider" have different numbers of labels'],
    [
      'provider "a" {\n}\nprovider "a" "b" {\n}',
      '3:1: the blocks "provider" have different numbers of labels',
    ],
    ['settings {\n}\nsettings "x" {\n}', '3:1: the blocks "settings" have different numbers of labels'],
    ['provider "a" {\n}\nprovider "a" {\n}', '3:1: there is another block provider "a" before this one'],
    ["settings {\n}\nsettings {\n}", "3:1: there is another block settings before this one"],
    ['policy "p" {\n}', "1:1: action is missing"],
    ['policy "p" {\n  action = "permit"\n}', '2:3: action is "permit"; it is one of allow, ask, deny'],
    ['policy "p" {\n  action = 1\n}', "2:3: action must be a string"],
    [
      'policy "p" {\n  action = "deny"\n  mach = {}\n}',
      '3:3: unknown attribute "mach"; did you mean "match"?',
    ],
    ['policy "p" {\n  action = "deny"\n  match = "all"\n}', "3:3: match must be an object, { … }"],
    [
      'policy "p" {\n  action = "deny"\n  match = {\n    kind = "interactive"\n  }\n}',
      '4:5: kind is "interactive"; it is one of resource, data_source',
    ],
    [
      'policy "p" {\n  action = "deny"\n  match = { tool = "x" }\n}',
      '3:13: unknown attribute "tool"; it is one of kind, provider, tool_name, risk',
    ],
    ['policy "p" {\n  action = "deny"\n  match {\n  }\n}', '3:3: a block "match" has no place here'],
    [
      'policy "p" {\n  action = "deny"\n}\npolicy "q" {\n  action = "allow"\n}',
      '4:1: the policies "p" and "q" match the same calls; remove one or make it more specific',
    ],
    [
      'policy "p" {\n  action = "deny"\n  match = { kind = "resource", kind = "data_source" }\n}',
      "3:32: kind is written twice",
    ],
    [
      'required_providers {\n  a = { source = "g.com/x/y", source = "g.com/x/z" }\n}',
      "2:31: source is written twice",
    ],
    [
      'agent_profile "d" {\n  budget = 1\n  budget {\n  }\n}',
      "3:3: budget is written twice, as an attribute and as a block",
    ],
    ['required_providers {\n  a = "github.com/x/y"\n}', "2:3: a must be an object, { … }"],
    ['required_providers {\n  a = { version = "1" }\n}', "2:3: source is missing"],
    [
      'required_providers {\n  a = { source = "x" }\n}',
      '2:9: source is "x"; write an address such as github.com/pluggableharness/plugin-tool-filesystem',
    ],
    [
      'required_providers {\n  a = { source = "g.com/x/y", version = "new" }\n}',
      '2:31: "new" is no version constraint; write one such as ">= 1.2, < 2.0" or "~> 1.4"',
    ],
    ['agent_profile "d" {\n  tools = "all"\n}', "2:3: tools must be a list of strings"],
    [
      'agent_profile "d" {\n  tools = ["a.b.c"]\n}',
      '2:3: tools has the pattern "a.b.c"; write "provider.operation", "provider.*" or "*"',
    ],
    ['hook "sesion_end" {\n}', '1:1: unknown hook point "sesion_end"; did you mean "session_end"?'],
    ["settings {\n  a = 1 + 1\n}", "2:3: a is computed, which is not possible here; write the value itself"],
    ['settings {\n  a = "${b}"\n}', "2:3: a is computed, which is not possible here; write the value itself"],
    [
      "settings {\n  a = \n}",
      "2:7: Invalid expression; Expected the start of an expression, but found an invalid expression token.",
    ],
    [
      "settings {\n  a = 1\n  a = 2\n}",
      '3:3: Attribute redefined; The argument "a" was already set at file:2,3-4. Each argument may be set only once.',
    ],
  ])("%j is refused where the mistake is", async (source, message) => {
    await expect(parseAgentFile("agent.hcl", source)).rejects.toThrow(`agent.hcl:${message}`);
  });

  it("tells all mistakes at once, in the order of the file", async () => {
    const source = 'policy "p" {\n  action = "no"\n}\nmodel {\n}\nhook "x" {\n}\n';
    const failure = await parseAgentFile("a.hcl", source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problems: [{ line: 2 }, { line: 4 }, { line: 6 }] });
    expect(String(failure).split("\n")).toHaveLength(3);
  });

  it("tells no more mistakes than anybody reads, and how many there are", async () => {
    const source = Array.from({ length: 130 }, (_, index) => `x${index} = 1\n`).join("");
    const failure = await parseAgentFile("a.hcl", source).catch((error: unknown) => error);
    expect(String(failure).split("\n")).toHaveLength(101);
    expect(String(failure)).toMatch(/\na\.hcl: and 30 more$/);
  });

  it("keeps a name that every object has by itself", async () => {
    const { settings } = await parseAgentFile("a.hcl", "settings {\n  __proto__ = { a = 1 }\n}\n");
    expect(Object.entries(settings)).toEqual([["__proto__", { a: 1 }]]);
  });

  it("tells two policies that conflict among many", async () => {
    const policy = (index: number, tool: number): string =>
      `policy "p${index}" {\n  match = { tool_name = "t${tool}" }\n  action = "deny"\n}\n`;
    const source = Array.from({ length: 200 }, (_, index) => policy(index, index)).join("");
    expect((await parseAgentFile("a.hcl", source)).policy).toBeDefined();
    await expect(parseAgentFile("a.hcl", source + policy(200, 7))).rejects.toThrow(
      'a.hcl:801:1: the policies "p7" and "p200" match the same calls',
    );
  });

  it.each([
    ["lists", "[", "1", "]"],
    ["objects", "{a=", "1", "}"],
    ["templates", '"${', "1", '}"'],
    ["negations", "!", "true", ""],
  ])("refuses %s too deep for the parser, and can be read afterwards", async (_name, open, core, close) => {
    const source = `settings {\n  a = ${open.repeat(20_000)}${core}${close.repeat(20_000)}\n}\n`;
    await expect(parseAgentFile("a.hcl", source)).rejects.toThrow(
      /^a\.hcl:2:\d+: it is nested too deep from here on$/,
    );
    expect((await parseAgentFile("a.hcl", "settings {\n}\n")).settings).toEqual({});
  });

  it("takes the literal forms of ${ and %{ for what they stand for", async () => {
    const { settings } = await parseAgentFile("a.hcl", 'settings {\n  a = "$${x} %%{y}"\n}\n');
    expect(settings).toEqual({ a: "${x} %{y}" });
  });

  it("counts columns in characters, not in bytes", async () => {
    await expect(parseAgentFile("a.hcl", "/* 🙂é */ x = 1")).rejects.toThrow("a.hcl:1:10:");
  });

  it.each([
    ["that is not there", join(folder, "none.hcl"), "it cannot be read: ENOENT"],
    ["that is a folder", folder, "it is no file"],
    ["that is a pipe nobody writes to", pipe("pipe.hcl"), "it is no file"],
    ["that is no UTF-8", file("latin1.hcl", Buffer.from([0x61, 0xe9])), "it is not UTF-8"],
    [
      "that is larger than anybody writes",
      file("large.hcl", Buffer.alloc(MAX_FILE_BYTES + 1, 0x20)),
      "at most 1048576 are read",
    ],
  ])("%s is refused", async (_name, path, message) => {
    await expect(loadAgentFile(path)).rejects.toThrow(`${path}:1:1: `);
    await expect(loadAgentFile(path)).rejects.toThrow(message);
  });

  it("is read from its file", async () => {
    expect((await loadAgentFile(file("good.hcl", Buffer.from(good)))).providers.size).toBe(1);
  });
});

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

function file(name: string, content: Buffer): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}
