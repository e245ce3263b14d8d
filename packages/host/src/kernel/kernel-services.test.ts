import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, GrpcClient } from "@pluggableharness/grpc";
import {
  EventKind,
  KernelCallbackService,
  type RunSessionRequestSchema,
  SessionStatus,
} from "@pluggableharness/protocol/wire";
import { afterEach, describe, expect, it } from "vitest";
import { serveCallbacks } from "../callback-server.ts";
import type { LogRecord } from "../stderr-record.ts";
import { EventBus } from "./event-bus.ts";
import { kernelServices, type SharedServices } from "./kernel-services.ts";
import { Session } from "./session.ts";

const methods = KernelCallbackService.method;
const stops: Disposable[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop[Symbol.dispose]();
});

/** The services on a socket, called as a plugin does. */
async function services(shared: Partial<SharedServices> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "services-"));
  const session = new Session({ id: "s1", profile: "p", remainingDepth: 2, remainingCostBudgetUsd: 1 });
  const logged: LogRecord[] = [];
  const handlers = kernelServices(
    { sessions: new Map([[session.id, session]]), bus: new EventBus(), ...shared },
    {
      name: "echo",
      onLog: (record) => logged.push(record),
      config: () => ({ greeting: "hello" }),
      producer: () => undefined,
    },
  );
  const server = await serveCallbacks(handlers, folder);
  const client = new GrpcClient({ address: { network: "unix", path: server.address } });
  stops.push(client, server, { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) });
  return { client, session, logged };
}

const run = (request: MessageInitShape<typeof RunSessionRequestSchema>) => ({
  parentSessionId: "s1",
  remainingDepth: 5,
  remainingCostBudgetUsd: 0.5,
  ...request,
});

describe("the kernel's services", () => {
  it("answer each method with something true", async () => {
    const { client, logged } = await services();
    expect(await client.unary(methods.getConfig, {})).toMatchObject({ config: { greeting: "hello" } });
    expect(await client.unary(methods.getSession, { sessionId: "s1" })).toMatchObject({
      info: { sessionId: "s1", profile: "p", status: SessionStatus.RUNNING, depth: 0 },
      remainingDepth: 2,
      remainingCostBudgetUsd: 1,
    });
    const content = [{ block: { case: "text", value: { text: "12345" } } }] as const;
    expect(await client.unary(methods.countTokens, { content: [...content] })).toMatchObject({
      count: 2n,
      exact: false,
    });
    expect(await client.unary(methods.getTelemetryConfig, {})).toMatchObject({
      tracesEnabled: false,
      metricsEnabled: false,
      logsEnabled: false,
    });
    await client.unary(methods.exportSpans, { spans: [{ name: "x" }] });
    await client.unary(methods.recordMetrics, { metrics: [{ name: "x" }] });
    await client.unary(methods.log, { entries: [{ message: "a" }, { message: "b" }] });
    expect(logged.map(({ message }) => message)).toEqual(["a", "b"]);
  });

  it("keep what is emitted, for whoever reads it", async () => {
    const { client } = await services();
    const emitted = {
      sessionId: "s1",
      kind: EventKind.MESSAGE,
      schemaVersion: "2",
      payload: Buffer.from("x"),
    };
    for (let sequence = 1n; sequence <= 3n; sequence++)
      expect(await client.unary(methods.emit, emitted)).toMatchObject({ sequence });
    const events = [];
    for await (const event of client.serverStream(methods.readEvents, {
      sessionId: "s1",
      fromSequence: 2n,
      limit: 1,
    }))
      events.push(event);
    expect(events).toMatchObject([{ sequence: 2n, kind: EventKind.MESSAGE, schemaVersion: "2" }]);
  });

  it("carry what is published to who has subscribed, until that one leaves", async () => {
    const { client } = await services();
    const bus = client.serverStream(methods.subscribe, { topicFilters: ["echo.*"] });
    const next = bus.next();
    // Whether a subscription has begun, only its first event tells.
    let isThere = false;
    void next.then(() => {
      isThere = true;
    });
    while (!isThere)
      expect(
        await client.unary(methods.publish, { eventType: "saved", payload: Buffer.from("x") }),
      ).toMatchObject({ topic: "echo.saved" });
    expect(await next).toMatchObject({ value: { topic: "echo.saved" } });
    await bus.return();
  });

  it.each([
    ["Log without entries", methods.log, {}, Code.INVALID_ARGUMENT],
    ["Emit without a kind", methods.emit, { sessionId: "s1" }, Code.INVALID_ARGUMENT],
    ["Emit in another session", methods.emit, { sessionId: "s2", kind: 1 }, Code.NOT_FOUND],
    ["GetSession of another session", methods.getSession, { sessionId: "" }, Code.NOT_FOUND],
    ["Publish of several segments", methods.publish, { eventType: "a.b" }, Code.INVALID_ARGUMENT],
    ["RunSession without anyone to run it", methods.runSession, run({}), Code.FAILED_PRECONDITION],
    ["RunSession in another session", methods.runSession, run({ parentSessionId: "s2" }), Code.NOT_FOUND],
  ] as const)("refuse %s", async (_name, method, request, code) => {
    const { client } = await services();
    await expect(client.unary(method, request)).rejects.toMatchObject({ code });
  });

  it.each([
    [{ sessionId: "s1", limit: -1 }, Code.INVALID_ARGUMENT],
    [{ sessionId: "s2" }, Code.NOT_FOUND],
  ])("refuse to read events with %j", async (request, code) => {
    const { client } = await services();
    await expect(client.serverStream(methods.readEvents, request).next()).rejects.toMatchObject({ code });
  });
});

describe("a sub-session", () => {
  it("gets less than its parent has, and is paid by it", async () => {
    const asked: unknown[] = [];
    const { client, session } = await services({
      runSession: async ({ remainingDepth, remainingCostBudgetUsd }, { parent, provider }) => {
        asked.push([
          remainingDepth,
          remainingCostBudgetUsd,
          parent.describe().remainingCostBudgetUsd,
          provider,
        ]);
        return { sessionId: "child", totalCostUsd: 0.25 };
      },
    });
    expect(await client.unary(methods.runSession, run({}))).toMatchObject({ sessionId: "child" });
    await client.unary(methods.runSession, run({ remainingCostBudgetUsd: 9 }));
    await client.unary(methods.runSession, run({ remainingCostBudgetUsd: Number.NaN, remainingDepth: -3 }));
    expect(asked).toEqual([
      [1, 0.5, 0.5, "echo"],
      [1, 0.75, 0, "echo"],
      [0, 0, 0.5, "echo"],
    ]);
    expect(session.describe()).toMatchObject({ remainingCostBudgetUsd: 0.25, info: { costUsd: 0.75 } });
  });

  it("is not there for a session that has no depth left, and costs nothing where it fails", async () => {
    const deepest = new Session({ id: "s1", remainingCostBudgetUsd: 1 });
    const runSession = () => Promise.reject(new Error("no model"));
    const one = await services({ sessions: new Map([["s1", deepest]]), runSession });
    await expect(one.client.unary(methods.runSession, run({}))).rejects.toMatchObject({
      code: Code.FAILED_PRECONDITION,
      message: "session s1 may not go deeper",
    });
    const { client, session } = await services({ runSession });
    await expect(client.unary(methods.runSession, run({}))).rejects.toThrow();
    expect(session.describe()).toMatchObject({ remainingCostBudgetUsd: 1 });
  });

  it("is cancelled with the call of its parent", async () => {
    const cancel = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    const { client } = await services({
      runSession: async (_request, { signal }) => {
        ended = once(signal, "abort");
        cancel.abort();
        await ended;
        return {};
      },
    });
    const call = client.unary(methods.runSession, run({}), { signal: cancel.signal });
    await expect(call).rejects.toMatchObject({ code: Code.CANCELLED });
    await ended;
  });
});
