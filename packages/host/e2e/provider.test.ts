// A provider and its plugin, a real process: how it comes up, what becomes of a crash, and what is kept secret.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { eventually, isAlive, stopAll, temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";
import { callOperation } from "../src/call-operation.ts";
import type { LocatedPlugin } from "../src/expected-plugin.ts";
import { EventBus } from "../src/kernel/event-bus.ts";
import { Provider, type ProviderOptions } from "../src/provider.ts";
import type { LogRecord } from "../src/stderr-record.ts";
import { deskPlugin } from "./desk-plugin.ts";
import { script } from "./scripted-plugin.ts";

const opened: Provider[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((provider) => provider.close()));
  await stopAll();
});

const idle = new AbortController().signal;
const KEY = "the-secret-key";
const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

interface DeskOptions extends Partial<ProviderOptions>, Partial<LocatedPlugin> {
  readonly greeting?: string;
}

function desk(options: DeskOptions = {}) {
  const { greeting = "hello", path = deskPlugin(), expected, ...rest } = options;
  const logged: LogRecord[] = [];
  const provider = new Provider({
    name: "desk",
    locate: () => ({ path, expected }),
    decodeConfig: () => ({ greeting, key: KEY }),
    services: { sessions: new Map(), bus: new EventBus() },
    onLog: (record) => logged.push(record),
    ...rest,
  });
  opened.push(provider);
  return { provider, logged };
}

async function call(provider: Provider, name: string, args = {}, signal = idle) {
  const operation = (await provider.ready(signal)).operations.get(name);
  if (operation === undefined) throw new Error(`the desk has no ${name}`);
  const place = { sessionId: "s", turnId: "t", workingDirectory: "/" };
  return await callOperation(provider, operation, { id: "1", arguments: args, ...place }, { signal });
}

describe("a provider", () => {
  it("comes up once for all that need it, and ends with nothing left", async () => {
    const { provider } = desk({
      expected: {
        name: "desk",
        version: "1.0.0",
        source: "example.org/desk",
        checksum: `sha256:${sha256(deskPlugin())}`,
      },
    });
    const [one, two] = await Promise.all([provider.ready(idle), provider.ready(idle)]);
    expect(one).toBe(two);
    expect(one).toMatchObject({ hasPreviews: true, producer: { name: "desk" } });
    expect(await call(provider, "note", { page: "1", text: "x" })).toEqual({ operation: "note", text: "x" });
    await provider.close();
    expect(isAlive(one.process.pid)).toBe(false);
    await expect(provider.ready(idle)).rejects.toMatchObject({ category: "cancelled" });
  });

  it.each<[string, DeskOptions, string]>([
    [
      "of another name",
      { expected: { name: "bench" } },
      'its name is "desk", but the lock file says "bench"',
    ],
    ["of another version", { expected: { version: "2.0.0" } }, "its version is"],
    ["of another source", { expected: { source: "example.org/fake" } }, "its source is"],
    ["of another checksum", { expected: { checksum: "sha256:00" } }, "its checksum is"],
    ["that is no tool plugin", { environment: { DESK: '{"producer":{"category":1}}' } }, "no tool plugin"],
    ["of another protocol", { environment: { DESK: '{"producer":{"protocolVersion":2}}' } }, "version 2"],
    [
      "whose operations make no sense",
      { environment: { DESK: '{"tools":[{"name":"x"}]}' } },
      '"x" has no kind',
    ],
    ["that refuses its configuration", { greeting: "refuse" }, "not with [redacted]"],
    [
      "whose configuration cannot be decoded",
      {
        decodeConfig: () => {
          throw new Error("DESK_KEY is not set");
        },
      },
      "DESK_KEY is not set",
    ],
    ["that is not there", { path: "/nowhere/at/all" }, "cannot be started"],
  ])("does not start a plugin %s", async (_which, options, words) => {
    const { provider } = desk(options);
    await expect(provider.ready(idle)).rejects.toMatchObject({
      category: "execution_failed",
      message: expect.stringContaining(words),
    });
  });

  it("says what the plugin said where it crashes while it is configured, without its secret", async () => {
    const { provider, logged } = desk({ greeting: "crash" });
    await expect(provider.ready(idle)).rejects.toMatchObject({
      category: "process_crashed",
      message: expect.stringContaining(
        "exit code 4 during the call; its last lines of stderr: the desk is open ⏎ cannot go on with [redacted]",
      ),
    });
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });

  it("starts its plugin again after a crash, and gives it its configuration", async () => {
    const { provider, logged } = desk();
    const { process } = await provider.ready(idle);
    await expect(call(provider, "crash")).rejects.toMatchObject({
      category: "process_crashed",
      message: expect.stringContaining(
        "exit code 3 during the call; its last lines of stderr: the desk is open ⏎ goodbye, the key is [redacted]",
      ),
    });
    expect(await call(provider, "note", { page: "1" })).toEqual({ operation: "note", text: "hello" });
    expect((await provider.ready(idle)).process.pid).not.toBe(process.pid);
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });

  it("leaves a plugin alone that crashes again and again", async () => {
    const { provider } = desk();
    for (let round = 0; round < 3; round++)
      await expect(call(provider, "crash")).rejects.toMatchObject({ category: "process_crashed" });
    await expect(call(provider, "note", { page: "1" })).rejects.toMatchObject({
      category: "process_crashed",
      message: expect.stringMatching(
        /not started for another \d+ s; the last time: it ended with exit code 3; its last lines of stderr: .*\[redacted\]$/,
      ),
    });
  });

  it("leaves a plugin alone that cannot be started again and again", async () => {
    const { provider } = desk({ greeting: "refuse" });
    for (let round = 0; round < 3; round++) await expect(provider.ready(idle)).rejects.toThrow("not with");
    await expect(provider.ready(idle)).rejects.toMatchObject({
      category: "execution_failed",
      message: expect.stringMatching(/not started for another \d+ s; the last time: not with \[redacted\]$/),
    });
  });

  it("tries a plugin again after its rest", async () => {
    const { provider } = desk({ greeting: "refuse", limits: { maxFailures: 1, windowMs: 1, openMs: 1 } });
    await expect(provider.ready(idle)).rejects.toThrow("not with");
    const until = performance.now() + 2;
    while (performance.now() < until);
    await expect(provider.ready(idle)).rejects.toThrow("cannot be started");
  });

  it("leaves no folder and no descriptor of plugins that crashed", async () => {
    const temporary = temporaryFolder();
    const outer = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary;
    try {
      const { provider } = desk({ limits: { maxFailures: 100, windowMs: 1, openMs: 1 } });
      const held = (): number => readdirSync("/dev/fd").length;
      const crash = () =>
        expect(call(provider, "crash")).rejects.toMatchObject({ category: "process_crashed" });
      await crash();
      const before = held();
      for (let round = 0; round < 5; round++) await crash();
      await eventually(held, (now) => now <= before + 2);
      await provider.close();
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (outer === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = outer;
    }
  });

  it("goes on starting for others where one gives up", async () => {
    const { provider } = desk();
    const abort = new AbortController();
    const given = provider.ready(abort.signal);
    const waiting = provider.ready(idle);
    abort.abort(new Error("enough"));
    await expect(given).rejects.toMatchObject({ category: "cancelled" });
    expect(await waiting).toMatchObject({ hasPreviews: true });
  });

  it("can be closed while it starts", async () => {
    const { provider } = desk({
      path: script(`process.stderr.write("here\\n"); setInterval(() => {}, 1000);`),
    });
    const starting = provider.ready(idle);
    const outcome = expect(starting).rejects.toMatchObject({ category: "cancelled" });
    await provider.close();
    await outcome;
  });
});

describe("a call of a real plugin", () => {
  it.each([
    ["a read that fails for a moment", "flaky", { times: "1" }],
    ["a change that may be repeated and meets another", "busy", { times: "1", page: "1" }],
  ])("is tried again: %s", async (_what, name, args) => {
    const { provider } = desk();
    expect(await call(provider, name, args)).toEqual({ operation: name, text: "hello" });
  });

  it("has no result that does not fit", async () => {
    const { provider } = desk();
    await expect(call(provider, "lie")).rejects.toMatchObject({
      category: "unknown",
      message:
        "lie answered with a result that does not fit its output schema: text: expected string, got number 3",
    });
  });

  it("ends as cancelled when it is cancelled", async () => {
    const { provider } = desk();
    await provider.ready(idle);
    const abort = new AbortController();
    const held = call(provider, "note", { page: "1", hold: "/nowhere/at/all" }, abort.signal);
    const outcome = expect(held).rejects.toMatchObject({ category: "cancelled" });
    abort.abort(new Error("enough"));
    await outcome;
    expect(await call(provider, "note", { page: "1" })).toMatchObject({ operation: "note" });
  });

  it("is held back by a receiver that is slow", async () => {
    const { provider, logged } = desk();
    const flood = (await provider.ready(idle)).operations.get("flood");
    if (flood === undefined) throw new Error("the desk has no flood");
    const place = { sessionId: "s", turnId: "t", workingDirectory: "/" };
    const abort = new AbortController();
    let produced = -1;
    const flooding = callOperation(
      provider,
      flood,
      { id: "1", arguments: { chunks: "1000" }, ...place },
      {
        signal: abort.signal,
        onEvent: async () => {
          // Until nothing more comes: what the transport holds is full.
          while (produced !== logged.length) {
            produced = logged.length;
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
          abort.abort(new Error("seen enough"));
        },
      },
    );
    await expect(flooding).rejects.toMatchObject({ category: "cancelled" });
    expect(produced).toBeLessThan(100);
  });
});
