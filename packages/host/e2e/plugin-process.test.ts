// A host against good and bad plugins, all of them real processes. Whatever a plugin does, the host ends it, reports
// it, and keeps nothing of it.
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "@pluggableharness/grpc";
import { afterEach, describe, expect, it } from "vitest";
import {
  echoPlugin,
  eventually,
  isAlive,
  stopAll,
  temporaryFolder,
} from "../../plugin/e2e/plugin-under-test.ts";
import { type LaunchOptions, PluginProcess } from "../src/plugin-process.ts";
import type { LogRecord } from "../src/stderr-record.ts";

afterEach(stopAll);

const call = (toolName: string, args: Record<string, string | number>) => ({
  id: "call-1",
  toolName,
  arguments: args,
  callContext: { sessionId: "session-1", turnId: "turn-1", workingDirectory: "/" },
});

async function launched(options: LaunchOptions = {}): Promise<PluginProcess> {
  const plugin = await PluginProcess.launch(echoPlugin(), options);
  await plugin.configure({ greeting: "hello" });
  return plugin;
}

/** An executable script of Node. */
function script(source: string): string {
  const path = join(temporaryFolder(), "plugin");
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
  return path;
}

describe("PluginProcess", () => {
  it("brings a plugin up, calls it and ends it with nothing left", async () => {
    const plugin = await launched();
    expect(await plugin.describe()).toMatchObject({ name: "echo", version: "1.2.3" });
    expect((await plugin.getSchema()).tools.map(({ name }) => name)).toEqual(["say", "broken", "count"]);
    const events = [];
    for await (const event of plugin.invoke(call("count", { chunks: 2, bytes: 1 }))) events.push(event.case);
    expect(events).toEqual(["progress", "outputChunk", "outputChunk", "result"]);
    expect(await plugin.preview(call("say", { text: "x" }))).toMatchObject({
      root: { node: { case: "text" } },
    });
    expect(await plugin.preview(call("broken", {}))).toBeUndefined();
    await Promise.all([plugin.close(), plugin.close()]);
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(isAlive(plugin.pid)).toBe(false);
  });

  it("serves the plugin's callbacks", async () => {
    const logged: string[] = [];
    await using plugin = await launched({
      callbacks: {
        log: ({ entries }) => {
          logged.push(...entries.map(({ message }) => message));
          return {};
        },
        getSession: () => ({ remainingDepth: 4 }),
      },
    });
    const events = [];
    for await (const event of plugin.invoke(call("say", { text: "", mode: "session" }))) events.push(event);
    expect(events).toMatchObject([{ case: "result", value: { payload: { text: "depth 4" } } }]);
    await eventually(
      () => logged,
      (messages) => messages.includes("configured"),
    );
  });

  it("gives the plugin only the environment the kernel gives", async () => {
    process.env["HOST_SECRET"] = "secret";
    try {
      const path = script(`
        process.stderr.write(JSON.stringify(Object.keys(process.env).sort()) + "\\n");
        process.exit(3);`);
      const records: LogRecord[] = [];
      const launch = PluginProcess.launch(path, {
        environment: { EXTRA: "1" },
        onLog: (record) => records.push(record),
      });
      await expect(launch).rejects.toThrow("ended with 3");
      const names = JSON.parse(
        (
          await eventually(
            () => records,
            (seen) => seen.length > 0,
          )
        )[0]?.message ?? "[]",
      );
      expect(names).toContain("EXTRA");
      expect(names).not.toContain("HOST_SECRET");
    } finally {
      delete process.env["HOST_SECRET"];
    }
  });

  it("turns failures into ToolErrors of their category", async () => {
    await using plugin = await PluginProcess.launch(echoPlugin());
    await expect(plugin.configure({})).rejects.toMatchObject({ category: "invalid_arguments" });
    await expect(plugin.configure({ greeting: "refuse" })).rejects.toMatchObject({
      category: "permission_denied",
    });
    await plugin.configure({ greeting: "x" });
    const run = async (args: Record<string, string>, options = {}) => {
      for await (const _ of plugin.invoke(call("say", args), options));
    };
    await expect(run({})).rejects.toMatchObject({ category: "invalid_arguments" });
    await expect(run({ text: "busy", mode: "throw conflict" })).rejects.toMatchObject({
      category: "concurrency_conflict",
      retryable: true,
      details: { path: "a.txt" },
    });
    await expect(run({ text: "x", mode: "never" }, { timeoutMs: 200 })).rejects.toMatchObject({
      category: "timeout",
    });
    const cancel = new AbortController();
    const cancelled = async () => {
      const counting = call("count", { chunks: 1_000_000, bytes: 1, pause_ms: 1 });
      for await (const _ of plugin.invoke(counting, { signal: cancel.signal })) cancel.abort();
    };
    await expect(cancelled()).rejects.toMatchObject({ category: "cancelled" });
    await expect(run({ text: "x", mode: "crash" })).rejects.toMatchObject({
      category: "process_crashed",
      message: "the plugin ended with exit code 1 during the call",
    });
  });
});

describe("a bad plugin", () => {
  it.each([
    ["does not exist", "/nowhere/at/all", "cannot be started"],
    ["is no program", join(tmpdir(), "."), "cannot be started"],
  ])("that %s is no launch", async (_name, path, words) => {
    await expect(PluginProcess.launch(path)).rejects.toThrow(words);
  });

  it.each([
    [
      "prints something else first",
      `console.log("starting…"); setInterval(() => {}, 1000)`,
      "is no handshake",
    ],
    ["prints nothing", `setInterval(() => {}, 1000)`, "no handshake line within 300 ms"],
    [
      "prints an endless line",
      `setInterval(() => process.stdout.write("x".repeat(100000)), 1)`,
      "no handshake line within 300 ms",
    ],
    ["ends at once", `process.exit(7)`, "ended with 7 before its handshake line"],
    ["is killed at once", `process.kill(process.pid, "SIGKILL")`, "ended with SIGKILL"],
    [
      "speaks another version",
      `console.log("1|9|unix|/s|grpc|"); setInterval(() => {}, 1000)`,
      'version "9"',
    ],
    [
      "listens nowhere",
      `console.log("1|1|unix|/nowhere/s|grpc|"); setInterval(() => {}, 1000)`,
      "cannot connect",
    ],
  ])("that %s is refused, killed and forgotten", async (_name, source, words) => {
    const folders = () => readdirSync(tmpdir()).filter((name) => /^host\w{6}$/.test(name)).length;
    const before = folders();
    const pidFile = join(temporaryFolder(), "pid");
    const path = script(
      `require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));${source}`,
    );
    const options = /within/.test(words) ? { startTimeoutMs: 300 } : {};
    await expect(PluginProcess.launch(path, options)).rejects.toThrow(words);
    if (existsSync(pidFile)) {
      const { readFileSync } = await import("node:fs");
      await eventually(
        () => isAlive(Number(readFileSync(pidFile, "utf8"))),
        (alive) => !alive,
      );
    }
    expect(folders()).toBe(before);
  });

  /** A plugin on raw HTTP/2 whose answers the test writes. */
  const rawPlugin = (onStream: string): string =>
    script(`
      const http2 = require("http2");
      const path = ${JSON.stringify(join(temporaryFolder(), "s"))};
      const frame = (...bytes) => { const b = Buffer.from(bytes), h = Buffer.alloc(5); h.writeUInt32BE(b.length, 1); return Buffer.concat([h, b]); };
      const result = frame(10, 2, 42, 0), progress = frame(10, 2, 18, 0), exit = frame(10, 2, 34, 0);
      const server = http2.createServer();
      server.on("stream", (stream, headers) => {
        stream.on("error", () => {});
        const method = headers[":path"].split("/")[2];
        const reply = (...chunks) => {
          stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
          stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
          for (const chunk of chunks) stream.write(chunk);
          stream.end();
        };
        ${onStream}
      });
      process.on("exit", () => require("fs").rmSync(path, { force: true }));
      process.on("SIGTERM", () => process.exit());
      server.listen(path, () => console.log("1|1|unix|" + path + "|grpc|"));`);

  it.each([
    ["two results", `reply(result, result)`, "sent result after its result"],
    ["progress after its result", `reply(result, progress)`, "sent progress after its result"],
    ["two exit statuses", `reply(exit, exit, result)`, "a second exit status"],
    ["no result at all", `reply(progress)`, "without a result or an error"],
    ["nothing at all", `reply()`, "without a result or an error"],
    ["an empty event", `reply(frame())`, "an event without content"],
    ["garbage", `reply(Buffer.from("garbage that is no frame"))`, ""],
    ["an HTTP error", `stream.respond({ ":status": 500 }, { endStream: true })`, "HTTP status 500"],
  ])("that sends %s is not believed", async (_name, answer, words) => {
    const plugin = await PluginProcess.launch(
      rawPlugin(
        `if (method === "Invoke") ${answer}; else if (method === "Shutdown") { reply(frame()); process.exitCode = 0; setTimeout(() => process.exit(), 10); }`,
      ),
    );
    const run = async () => {
      for await (const _ of plugin.invoke(call("any", {})));
    };
    await expect(run()).rejects.toThrow(expect.objectContaining({ message: expect.stringContaining(words) }));
    await plugin.close();
  });

  it("that ignores Shutdown is killed", async () => {
    const plugin = await PluginProcess.launch(rawPlugin(`process.on("SIGTERM", () => {});`));
    await plugin.close();
    expect(await plugin.ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("that lacks a method says so", async () => {
    const path = rawPlugin(
      `if (method === "StartStream" || method === "StreamStdio") return; stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "12" }, { endStream: true }); if (method === "Shutdown") setTimeout(() => process.exit(), 10);`,
    );
    await using plugin = await PluginProcess.launch(path);
    expect(await plugin.preview(call("any", {}))).toBeUndefined();
    expect(await plugin.render(new Uint8Array(), "1")).toBeUndefined();
    await expect(plugin.describe()).rejects.toMatchObject({ code: Code.UNIMPLEMENTED });
  });

  it("that floods stdout and stderr costs the host no memory", async () => {
    const path = rawPlugin(
      `if (method === "Shutdown") { reply(frame()); setTimeout(() => process.exit(), 10); }`,
    ).toString();
    const flooding = script(`
      const { spawn } = require("child_process");
      const chunk = Buffer.alloc(65536, "x");
      let left = 3000;
      const flood = () => { while (left-- > 0) { if (!process.stdout.write(chunk)) { process.stdout.once("drain", flood); break; } } process.stderr.write(chunk); };
      const child = spawn(${JSON.stringify(path)}, [], { stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.once("data", (line) => { process.stdout.write(line); flood(); });
      child.once("exit", () => process.exit());`);
    const before = process.memoryUsage().rss;
    await using plugin = await PluginProcess.launch(flooding);
    await expect(plugin.describe()).rejects.toBeDefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});
