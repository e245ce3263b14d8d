// One owner for each resource: when a plugin is closed, or its host is gone, no process, descriptor, timer, listener
// or file of it is left.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  echoPlugin,
  eventually,
  isAlive,
  stopAll,
  temporaryFolder,
} from "../../plugin/e2e/plugin-under-test.ts";
import { PluginProcess } from "../src/plugin-process.ts";
import { rawPlugin, shellScript } from "./scripted-plugin.ts";

let temporary = "";
const outer = process.env["TMPDIR"];
beforeEach(() => {
  temporary = temporaryFolder();
  process.env["TMPDIR"] = temporary;
});
afterEach(async () => {
  if (outer === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = outer;
  await stopAll();
});

/** What this process holds open: descriptors, and what keeps its event loop alive. */
function held(): readonly [descriptors: number, resources: number] {
  return [readdirSync("/dev/fd").length, process.getActiveResourcesInfo().length];
}

/** Private folders of hosts that are still there. */
function hostFolders(): string[] {
  return readdirSync(temporary).filter((name) => /^host\w{6}$/.test(name));
}

/** Runs a host of its own that launches `plugin`, prints its process id and then does `act`; waits for its end. */
async function runHost(plugin: string, act: string): Promise<string> {
  const host = join(temporary, "host.mjs");
  writeFileSync(
    host,
    `import { PluginProcess } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const plugin = await PluginProcess.launch(${JSON.stringify(plugin)});
    console.log(plugin.pid);
    ${act}`,
  );
  const child = spawn(process.execPath, ["--conditions=source", host], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 20_000,
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const signal = await new Promise((resolve) => child.once("close", (_code, name) => resolve(name)));
  expect(signal).toBeNull();
  return printed;
}

async function comeAndGo(): Promise<void> {
  await using plugin = await PluginProcess.launch(echoPlugin());
  await plugin.configure({ greeting: "hello" });
  const session = { id: "1", toolName: "say", arguments: { text: "", mode: "session" } };
  await expect(plugin.invoke(session).next()).rejects.toMatchObject({ category: "unknown" });
}

describe("nothing is left", () => {
  it("in this process of plugins that came and went", async () => {
    const listeners = process.listenerCount("exit");
    await comeAndGo();
    const before = held();
    for (let round = 0; round < 8; round++) await comeAndGo();
    await eventually(held, (now) => now.every((count, index) => count <= (before[index] ?? 0) + 2));
    expect(process.listenerCount("exit")).toBe(listeners);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("on disk of a plugin that had to be killed", async () => {
    const plugin = await PluginProcess.launch(rawPlugin("", { onShutdown: "" }));
    await plugin.close();
    expect(hostFolders()).toEqual([]);
  });

  it("of a plugin whose child keeps its output open, so that the host can end", async () => {
    const path = shellScript(`sleep 600 &\necho $! > ${temporary}/child\nexec ${echoPlugin()}\n`);
    const ended = runHost(path, "await plugin.close();");
    const child = await eventually(
      () => (existsSync(`${temporary}/child`) ? readFileSync(`${temporary}/child`, "utf8").trim() : ""),
      (pid) => pid !== "",
    );
    try {
      await ended;
      expect(isAlive(Number(child))).toBe(true);
    } finally {
      process.kill(Number(child));
    }
  });

  it("of calls under way when their plugin is closed", async () => {
    const plugin = await PluginProcess.launch(echoPlugin());
    await plugin.configure({ greeting: "hello" });
    const never = plugin.invoke({ id: "1", toolName: "say", arguments: { text: "x", mode: "never" } }).next();
    const refused = expect(never).rejects.toMatchObject({ category: "cancelled" });
    await plugin.close();
    await refused;
    await expect(plugin.describe()).rejects.toMatchObject({ category: "cancelled" });
  });

  it.each([
    ["exits", "process.exit(0)"],
    ["crashes", "throw new Error('on purpose')"],
  ])("of a plugin whose host %s", async (_how, end) => {
    const pid = Number(await runHost(rawPlugin("", { onShutdown: "" }), end));
    expect(pid).toBeGreaterThan(0);
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    );
    expect(hostFolders()).toEqual([]);
  });
});

describe("a host", () => {
  it("of as many plugins as there are gets no warning of a leak", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    const plugins = await Promise.all(Array.from({ length: 7 }, () => PluginProcess.launch(rawPlugin(""))));
    await Promise.all(plugins.map((plugin) => plugin.close()));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["too deep", "d".repeat(120)],
    ["of a name no handshake line can hold", "a|b"],
  ])("whose TMPDIR is %s finds another place for its sockets", async (_what, name) => {
    const folder = join(temporary, name);
    mkdirSync(folder);
    process.env["TMPDIR"] = folder;
    await using plugin = await PluginProcess.launch(echoPlugin());
    expect(await plugin.describe()).toMatchObject({ name: "echo" });
    expect(readdirSync(folder)).toEqual([]);
  });
});
