// A host and a good plugin, from its launch to its end. The plugin is a real process, made with the SDK.
import { afterEach, describe, expect, it } from "vitest";
import { echoPlugin, eventually, isAlive, stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import type { LaunchOptions } from "../src/bring-up.ts";
import { PluginProcess } from "../src/plugin-process.ts";
import type { LogRecord } from "../src/stderr-record.ts";
import { script } from "./scripted-plugin.ts";

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

describe("PluginProcess", () => {
  it("brings a plugin up, calls it and ends it with nothing left", async () => {
    const plugin = await launched();
    expect(await plugin.describe()).toMatchObject({ name: "echo", version: "1.2.3" });
    expect((await plugin.getSchema()).tools.map(({ name }) => name)).toEqual(["say", "broken", "count"]);
    const events = [];
    for await (const event of plugin.invoke(call("count", { chunks: 2, bytes: 1 }))) events.push(event.case);
    expect(events).toEqual(["progress", "outputChunk", "outputChunk", "result"]);
    expect(await plugin.implementsPreview()).toBe(true);
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
