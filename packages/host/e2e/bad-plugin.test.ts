// A host against bad plugins, all of them real processes: whatever a plugin does, the host reports it and ends it.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "@pluggableharness/grpc";
import { afterEach, describe, expect, it } from "vitest";
import { eventually, isAlive, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";
import { PluginProcess } from "../src/plugin-process.ts";
import type { LogRecord } from "../src/stderr-record.ts";
import { rawPlugin, script } from "./scripted-plugin.ts";

const outer = process.env["TMPDIR"];
afterEach(async () => {
  if (outer === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = outer;
  await stopAll();
});

const call = { id: "call-1", toolName: "any", arguments: {} };

/** Adds the kinds of the events of a call to `seen`, as far as it comes. */
async function read(plugin: PluginProcess, seen: (string | undefined)[] = []): Promise<void> {
  for await (const event of plugin.invoke(call)) seen.push(event.case);
}

/** A dial gives up by itself after 20 s. */
const SOONER_THAN_A_DIAL_MS = 15_000;
const stays = "setInterval(() => {}, 1000);";

describe("a launch", () => {
  it.each([
    ["does not exist", "/nowhere/at/all", "cannot be started"],
    ["is no program", join(tmpdir(), "."), "cannot be started"],
    ["has a name no system takes", "\0", "cannot launch"],
  ])("fails where the plugin %s", async (_name, path, words) => {
    await expect(PluginProcess.launch(path)).rejects.toThrow(words);
  });

  it.each([
    ["prints something else first", `console.log("starting…");${stays}`, "is no handshake"],
    ["prints nothing", stays, "no handshake line within 300 ms"],
    [
      "prints an endless line",
      `const more = () => process.stdout.write("x".repeat(100000), more); more();`,
      "longer than 65536 bytes",
    ],
    ["closes its stdout", `require("fs").closeSync(1);${stays}`, "closed its stdout"],
    ["ends at once", "process.exit(7)", "ended with 7 before its handshake line"],
    [
      "says why it ends",
      `require("fs").writeSync(2, "no config\\nset GREETING\\n");process.exit(7)`,
      "its last lines of stderr: no config ⏎ set GREETING",
    ],
    ["is killed at once", `process.kill(process.pid, "SIGKILL")`, "ended with SIGKILL"],
    ["speaks another version", `console.log("1|9|unix|/s|grpc|");${stays}`, 'version "9"'],
    ["listens nowhere", `console.log("1|1|unix|/nowhere/s|grpc|");${stays}`, "cannot connect"],
  ])("fails, with nothing left, where the plugin %s", async (_name, source, words) => {
    const [folder, temporary] = [temporaryFolder(), temporaryFolder()];
    const path = script(`require("fs").writeFileSync("${folder}/pid", String(process.pid));${source}`);
    process.env["TMPDIR"] = temporary;
    const options = /within/.test(words) ? { startTimeoutMs: 300 } : {};
    await expect(PluginProcess.launch(path, options)).rejects.toThrow(words);
    expect(readdirSync(temporary)).toEqual([]);
    // One that was killed before Node had started has written no number.
    for (const name of readdirSync(folder))
      expect(isAlive(Number(readFileSync(join(folder, name), "utf8")))).toBe(false);
  });

  const speaks = `process.stderr.write("here I am\\n");`;
  it.each([
    ["before it", stays, true],
    ["before the handshake", speaks + stays, false],
    [
      "while it dials",
      `const path = process.env.PLUGIN_UNIX_SOCKET_DIR + "/p";
      require("net").createServer(() => { ${speaks} }).listen(path, () => console.log("1|1|unix|" + path + "|grpc|"));`,
      false,
    ],
  ])(
    "fails with the signal's reason where its host gives up %s",
    { timeout: SOONER_THAN_A_DIAL_MS },
    async (_when, source, isEarly) => {
      const abort = new AbortController();
      const reason = new Error("enough");
      if (isEarly) abort.abort(reason);
      const options = { signal: abort.signal, onLog: () => abort.abort(reason) };
      await expect(PluginProcess.launch(script(source), options)).rejects.toBe(reason);
    },
  );
});

describe("a call", () => {
  it.each([
    ["two results", "reply(result, result)", "sent result after its result"],
    ["progress after its result", "reply(result, progress)", "sent progress after its result"],
    ["an error after its result", "reply(result, failure)", "sent error after its result"],
    ["a result after its error", "reply(failure, result)", "sent result after its error"],
    ["two exit statuses", "reply(exit, exit, result)", "a second exit status"],
    ["no result at all", "reply(progress)", "without a result or an error"],
    ["nothing at all", "reply()", "without a result or an error"],
    ["an empty event", "reply(frame())", "an event without content"],
    ["garbage", `reply(Buffer.from("garbage that is no frame"))`, ""],
    ["a result without a status", "stream.respond(head); stream.end(result)", "without a grpc-status"],
    ["an HTTP error", `stream.respond({ ":status": 500 }, { endStream: true })`, "HTTP status 500"],
  ])("that is answered with %s has no result and is unknown", async (_name, answer, words) => {
    await using plugin = await PluginProcess.launch(
      rawPlugin(`if (method === "Invoke") { ${answer}; return; }`),
    );
    const seen: (string | undefined)[] = [];
    const failure = await read(plugin, seen).catch((error: unknown) => error);
    expect(failure).toMatchObject({ category: "unknown", message: expect.stringContaining(words) });
    expect(seen).not.toContain("result");
  });

  it("whose plugin closes the connection is told from one whose plugin died", async () => {
    await using plugin = await PluginProcess.launch(
      rawPlugin(`if (method === "Invoke") { stream.session.destroy(); return; }`),
    );
    await expect(read(plugin)).rejects.toMatchObject({
      category: "unknown",
      message: expect.stringContaining("the connection to the plugin was lost"),
    });
  });
});

describe("a plugin", () => {
  it("that ignores Shutdown is killed", async () => {
    const plugin = await PluginProcess.launch(rawPlugin("", { onShutdown: "" }));
    await plugin.close();
    expect(await plugin.ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("that lacks a method says so", async () => {
    await using plugin = await PluginProcess.launch(rawPlugin(""));
    expect(await plugin.implementsPreview()).toBe(false);
    expect(await plugin.preview(call)).toBeUndefined();
    expect(await plugin.render(new Uint8Array(), "1")).toBeUndefined();
    for (const act of [() => plugin.describe(), () => plugin.getSchema(), () => plugin.configure({})])
      await expect(act()).rejects.toMatchObject({ category: "unknown", cause: { code: Code.UNIMPLEMENTED } });
  });

  it("that floods stdout and stderr is read on, and its endless line cut", async () => {
    const flooding = script(`
      const { spawn } = require("child_process");
      const child = spawn(${JSON.stringify(rawPlugin(""))}, [], { stdio: ["ignore", "pipe", "ignore"] });
      const chunk = Buffer.alloc(65536, "x");
      let left = 3000;
      const flood = () => {
        if (left-- === 0) process.stderr.write("\\n[INFO] done\\n");
        else process.stdout.write(chunk, () => process.stderr.write(chunk, flood));
      };
      child.stdout.once("data", (line) => process.stdout.write(line, flood));
      child.once("exit", () => process.exit());`);
    const records: LogRecord[] = [];
    await using _ = await PluginProcess.launch(flooding, { onLog: (record) => records.push(record) });
    await eventually(
      () => records.length,
      () => records.some(({ level }) => level === "info"),
    );
    expect(records.map(({ message }) => message.length)).toEqual([65_536, "[INFO] done".length]);
  });
});
