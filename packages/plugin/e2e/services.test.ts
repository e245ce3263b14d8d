// The services beside the tool's. Numbers in brackets: go-plugin-verified.md section 10.

import { Code } from "@pluggableharness/grpc";
import {
  GRPCController,
  GRPCStdio,
  Health,
  HookMode,
  HookPoint,
  HookSubscriberService,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  configured,
  connect,
  eventually,
  invoke,
  openBroker,
  serveCallbacks,
  start,
  stopAll,
} from "./plugin-under-test.ts";

afterEach(stopAll);

const { dispatchHook } = HookSubscriberService.method;
const session = { info: { sessionId: "session-1" }, remainingDepth: 7 };

describe("health", () => {
  it.each(["plugin", ""])("serves %j [20]", async (service) => {
    const client = connect(await start());
    expect(await client.unary(Health.method.check, { service })).toMatchObject({ status: 1 });
    for await (const { status } of client.serverStream(Health.method.watch, { service })) {
      expect(status).toBe(1);
      break;
    }
  });

  it("does not know other services [21]", async () => {
    const client = connect(await start());
    await expect(client.unary(Health.method.check, { service: "nope" })).rejects.toMatchObject({
      code: Code.NOT_FOUND,
    });
  });
});

describe("stdio and unknown methods", () => {
  it("holds the stdio stream open and silent until the host cancels it [23]", async () => {
    const client = connect(await start());
    const cancel = new AbortController();
    const stream = client.serverStream(GRPCStdio.method.streamStdio, {}, { signal: cancel.signal });
    const first = stream.next();
    await client.unary(ToolService.method.describe, {});
    expect(await Promise.race([first, Promise.resolve("open")])).toBe("open");
    cancel.abort();
    await expect(first).rejects.toMatchObject({ code: Code.CANCELLED });
    await client.unary(ToolService.method.describe, {});
  });

  it("answers UNIMPLEMENTED to a method it lacks, and the connection survives [22]", async () => {
    const client = connect(await start());
    // The same path shape with another service: what a host does that tries each category.
    const method = {
      ...ToolService.method.describe,
      parent: { ...ToolService, typeName: "pluggableharness.model.v1.ModelService" },
    };
    await expect(client.unary(method, {})).rejects.toMatchObject({ code: Code.UNIMPLEMENTED });
    await client.unary(ToolService.method.describe, {});
  });
});

describe("the broker", () => {
  it("keeps the streams open in any order, sending nothing [24]", async () => {
    const client = connect(await start());
    await client.unary(Health.method.check, { service: "plugin" });
    const broker = await openBroker(client);
    await client.unary(ToolService.method.describe, {});
    expect(await Promise.race([broker.ended, Promise.resolve("open")])).toBe("open");
  });

  it.each([
    ["a unix socket [26]", false],
    ["TCP [28]", true],
  ])("dials the kernel where it says it listens: %s", async (_name, tcp) => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session }, tcp);
    const broker = await openBroker(client);
    broker.announce(1, tcp ? "tcp" : "unix", kernel.address);
    expect((await invoke(client, "say", { text: "", mode: "session" })).at(-1)).toMatchObject({
      case: "result",
      value: { payload: { text: "depth 7" } },
    });
  });

  it("serves a call that comes before the announcement and waits for it [25]", async () => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session });
    const pending = invoke(client, "say", { text: "", mode: "session" });
    const broker = await openBroker(client);
    broker.announce(1, "unix", kernel.address);
    expect((await pending).at(-1)?.case).toBe("result");
  });

  it("fails a call cleanly where no announcement ever comes [25]", async () => {
    const { client } = await configured();
    await openBroker(client);
    expect((await invoke(client, "say", { text: "", mode: "session" })).at(-1)).toMatchObject({
      case: "error",
      value: { message: expect.stringContaining("the host announced no service 1 within 5000 ms") },
    });
    expect((await invoke(client, "say", { text: "x" })).at(-1)?.case).toBe("result");
  });

  it("keeps an announcement for whoever comes later, as often as it is needed [27]", async () => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session });
    (await openBroker(client)).announce(1, "unix", kernel.address);
    for (let calls = 0; calls < 200; calls++) await invoke(client, "say", { text: "x" });
    for (let calls = 0; calls < 3; calls++) {
      expect((await invoke(client, "say", { text: "", mode: "session" })).at(-1)?.case).toBe("result");
    }
  });

  it("ignores knocks, other ids and networks it does not know [29]", async () => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session });
    const broker = await openBroker(client);
    broker.knock(1, "/nowhere/knock");
    broker.announce(7, "unix", "/nowhere/seven");
    broker.announce(1, "x", "/nowhere/x");
    broker.announce(1, "unix", kernel.address);
    expect((await invoke(client, "say", { text: "", mode: "session" })).at(-1)?.case).toBe("result");
  });

  it("fails waiting callbacks at once when the host ends the stream without an announcement [30]", async () => {
    const { client } = await configured();
    const broker = await openBroker(client);
    const pending = invoke(client, "say", { text: "", mode: "session" });
    await client.unary(ToolService.method.describe, {});
    broker.halfClose();
    expect((await pending).at(-1)).toMatchObject({
      case: "error",
      value: { message: expect.stringContaining("the host closed the broker stream") },
    });
  });

  it("dials again after the kernel's connection was lost [31]", async () => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session });
    const broker = await openBroker(client);
    broker.announce(1, "unix", kernel.address);
    await invoke(client, "say", { text: "", mode: "session" });
    kernel.dropConnections();
    const events = await eventually(
      () => invoke(client, "say", { text: "", mode: "session" }),
      (seen) => seen.at(-1)?.case === "result",
    );
    expect(events.at(-1)).toMatchObject({ value: { payload: { text: "depth 7" } } });
  });

  it("reports a callback the kernel refuses for its size, and goes on [32]", async () => {
    const { client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => session, emit: () => ({ id: "1" }) });
    const broker = await openBroker(client);
    broker.announce(1, "unix", kernel.address);
    expect((await invoke(client, "say", { text: "", mode: "emit 5 MB" })).at(-1)).toMatchObject({
      case: "error",
      value: { message: expect.stringContaining("larger than the limit") },
    });
    expect((await invoke(client, "say", { text: "x" })).at(-1)?.case).toBe("result");
  });
});

describe("hooks", () => {
  const sessionEnd = { payload: { case: "sessionEnd", value: { sessionId: "session-1" } } } as const;

  it("tell the plugin that a session has ended", async () => {
    const { client } = await configured();
    const { supportedHookPoints } = await client.unary(ToolService.method.getSchema, {});
    expect(supportedHookPoints).toEqual([HookPoint.SESSION_END]);
    const response = await client.unary(dispatchHook, { payload: sessionEnd, mode: HookMode.OBSERVE });
    expect(response.outcome.case).toBe("observe");
    expect((await invoke(client, "say", { text: "", mode: "ended sessions" })).at(-1)).toMatchObject({
      value: { payload: { text: "session-1" } },
    });
  });

  it("before Configure find nothing to end", async () => {
    const client = connect(await start());
    await expect(
      client.unary(dispatchHook, { payload: sessionEnd, mode: HookMode.OBSERVE }),
    ).resolves.toBeDefined();
  });

  it.each([
    ["to change the end", { payload: sessionEnd, mode: HookMode.TRANSFORM }, Code.INVALID_ARGUMENT],
    ["to veto the end", { payload: sessionEnd, mode: HookMode.VETO }, Code.INVALID_ARGUMENT],
    [
      "at another point",
      { payload: { payload: { case: "sessionStart", value: {} } }, mode: HookMode.OBSERVE },
      Code.UNIMPLEMENTED,
    ],
    ["without a payload", { mode: HookMode.OBSERVE }, Code.UNIMPLEMENTED],
  ] as const)("are refused %s", async (_name, request, code) => {
    const { client } = await configured();
    await expect(client.unary(dispatchHook, request)).rejects.toMatchObject({ code });
  });
});

describe("log records", () => {
  it("go to the kernel with the call's session and id", async () => {
    const { client } = await configured();
    const entries: unknown[] = [];
    const kernel = await serveCallbacks({
      log: (request) => {
        entries.push(
          ...request.entries.map(({ message, fields }) => ({ message, fields, session: request.sessionId })),
        );
        return {};
      },
    });
    const broker = await openBroker(client);
    broker.announce(1, "unix", kernel.address);
    await invoke(client, "say", { text: "logged" });
    await eventually(
      () => entries,
      (seen) => seen.length >= 2,
    );
    expect(entries).toContainEqual({
      message: "say",
      session: "session-1",
      fields: { call_id: "call-1", operation: "say", text: "logged" },
    });
  });

  it("go to stderr in the host's form where the kernel refuses them [46]", async () => {
    const { client, running } = await configured();
    const kernel = await serveCallbacks({});
    const broker = await openBroker(client);
    broker.announce(1, "unix", kernel.address);
    await invoke(client, "say", { text: "message", mode: "log" });
    await eventually(running.stderr, (text) => text.includes("odd message"));
    const lines = running.stderr().split("\n").slice(0, -1);
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThan(64 * 1024);
      const record = JSON.parse(line);
      expect(["trace", "debug", "info", "warn", "error"]).toContain(record["@level"]);
      expect(typeof record["@message"]).toBe("string");
      expect(record["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/);
    }
  });

  it("never block a call where nobody ever says where the kernel is", async () => {
    const { client } = await configured();
    await expect(invoke(client, "say", { text: "x" })).resolves.toHaveLength(1);
    await client.unary(GRPCController.method.shutdown, {});
  });
});
