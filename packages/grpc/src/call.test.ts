// Client and server against each other on a real socket, with the services of go-plugin as the subject.
import { mkdtempSync, rmSync } from "node:fs";
import * as http2 from "node:http2";
import * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GRPCBroker, GRPCController, GRPCStdio, Health } from "@pluggableharness/protocol/wire";
import { afterEach, describe, expect, it } from "vitest";
import { GrpcClient } from "./client.ts";
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";
import { GrpcServer } from "./server.ts";
import { type Handlers, type Route, routes } from "./service.ts";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

async function pair(table: Map<string, Route>, maxMessageBytes = 1_000_000) {
  const folder = mkdtempSync(join(tmpdir(), "grpc-"));
  const server = new GrpcServer({ routes: table, maxMessageBytes });
  const listener = net.createServer((socket) => server.accept(socket));
  const path = join(folder, "s");
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  const client = new GrpcClient({ address: { network: "unix", path }, maxMessageBytes });
  cleanups.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => listener.close(),
    () => server.close(),
    () => client.close(),
  );
  return { server, client, path, listener };
}

const health = (handlers: Handlers<typeof Health>) => pair(routes(Health, handlers));

describe("a unary call", () => {
  it("returns the response", async () => {
    const { client } = await health({ check: ({ service }) => ({ status: service === "a" ? 1 : 2 }) });
    expect(await client.unary(Health.method.check, { service: "a" })).toMatchObject({ status: 1 });
    expect(await client.unary(Health.method.check, { service: "b" })).toMatchObject({ status: 2 });
  });

  it.each([
    [
      "a GrpcError as its status",
      new GrpcError(Code.ABORTED, "busy"),
      { code: Code.ABORTED, message: "busy" },
    ],
    ["an Error as INTERNAL", new Error("oops"), { code: Code.INTERNAL, message: "oops" }],
    ["a string as INTERNAL", "oops", { code: Code.INTERNAL, message: "oops" }],
  ])("reports %s", async (_name, thrown, expected) => {
    const { client } = await health({
      check: () => {
        throw thrown;
      },
    });
    await expect(client.unary(Health.method.check, {})).rejects.toMatchObject(expected);
  });

  it("is UNIMPLEMENTED without a handler", async () => {
    const { client } = await health({});
    await expect(client.unary(Health.method.check, {})).rejects.toMatchObject({ code: Code.UNIMPLEMENTED });
  });

  it("gives the handler the peer's headers and deadline", async () => {
    const { client } = await health({
      check: (_request, { metadata, deadline }) => {
        const left = (deadline ?? 0) - performance.now();
        return { status: metadata["x-key"] === "value" && left > 0 && left <= 60_000 ? 1 : 2 };
      },
    });
    const response = await client.unary(
      Health.method.check,
      {},
      { metadata: { "x-key": "value" }, timeoutMs: 60_000 },
    );
    expect(response.status).toBe(1);
  });

  it("ends at its deadline on both sides", async () => {
    let reason: unknown;
    const { client } = await health({
      check: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
    });
    await expect(client.unary(Health.method.check, {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: Code.DEADLINE_EXCEEDED,
    });
    await expect.poll(() => reason).toBeInstanceOf(GrpcError);
  });

  it("is refused where the request is larger than the server takes, with its words", async () => {
    const { client } = await pair(routes(Health, { check: () => ({ status: 1 }) }), 1_000);
    await expect(client.unary(Health.method.check, { service: "x".repeat(5_000_000) })).rejects.toMatchObject(
      {
        code: Code.RESOURCE_EXHAUSTED,
      },
    );
    expect(await client.unary(Health.method.check, {})).toMatchObject({ status: 1 });
  });

  it("fails with UNAVAILABLE where nobody listens, the connection is lost, or the client is closed", async () => {
    const nobody = new GrpcClient({ address: { network: "unix", path: "/nowhere/at/all" } });
    await expect(nobody.unary(Health.method.check, {})).rejects.toMatchObject({ code: Code.UNAVAILABLE });
    const { client, server } = await health({
      check: () => {
        setImmediate(() => server.close());
        return new Promise(() => {});
      },
    });
    const call = client.unary(Health.method.check, {});
    await expect(call).rejects.toMatchObject({ code: Code.UNAVAILABLE });
    client.close();
    await expect(client.unary(Health.method.check, {})).rejects.toThrow("the client is closed");
  });

  it("is aborted when the server stops", async () => {
    const { client, server } = await health({
      check: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          setImmediate(() => server.abortCalls(1_000));
        }),
    });
    await expect(client.unary(Health.method.check, {})).rejects.toMatchObject({ code: Code.UNAVAILABLE });
  });
});

describe("a connection", () => {
  it("is dialled once for calls that come at once, and again after it was lost", async () => {
    let connections = 0;
    const { client, listener, server } = await health({ check: () => ({ status: 1 }) });
    listener.on("connection", () => connections++);
    const calls = () => Promise.all(Array.from({ length: 4 }, () => client.unary(Health.method.check, {})));
    await calls();
    expect(connections).toBe(1);
    server.close();
    await expect
      .poll(() =>
        calls().then(
          () => connections,
          () => 0,
        ),
      )
      .toBe(2);
  });

  it("does not make a call that was cancelled while it was dialled", async () => {
    const { client } = await health({ check: () => ({ status: 1 }) });
    const abort = new AbortController();
    const call = client.unary(Health.method.check, {}, { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: Code.CANCELLED });
  });
});

describe("a server that stops", () => {
  it("lets its last answers through, and ends connections that nobody ends", async () => {
    const { client, server } = await health({
      check: (_request, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const calls = Array.from({ length: 50 }, () =>
      client.unary(Health.method.check, {}).catch((error: unknown) => error),
    );
    // The first call connects; the others follow on its connection.
    await expect
      .poll(async () => await client.unary(Health.method.check, {}, { timeoutMs: 20 }).catch(() => "served"))
      .toBe("served");
    await server.abortCalls(1_000);
    await server.drain(1_000);
    for (const outcome of await Promise.all(calls))
      expect(outcome).toMatchObject({ code: Code.UNAVAILABLE, message: "the server is stopping" });
  });
});

describe("a server stream", () => {
  it("keeps order and content across many sizes", async () => {
    const sizes = [0, 1, 1023, 16_384, 40_000, 70_000, 3];
    const { client } = await pair(
      routes(GRPCStdio, {
        async *streamStdio() {
          for (const [index, size] of sizes.entries())
            yield { channel: 1, data: new Uint8Array(size).fill(index) };
        },
      }),
    );
    const received: Uint8Array[] = [];
    for await (const { data } of client.serverStream(GRPCStdio.method.streamStdio, {})) received.push(data);
    expect(received.map((data) => data.length)).toEqual(sizes);
    for (const [index, data] of received.entries()) expect(data.every((byte) => byte === index)).toBe(true);
  });

  it("holds the producer back while nobody reads", async () => {
    let produced = 0;
    const { client } = await pair(
      routes(GRPCStdio, {
        async *streamStdio() {
          for (; produced < 10_000; produced++) yield { channel: 1, data: new Uint8Array(64 * 1024) };
        },
      }),
    );
    const stream = client.serverStream(GRPCStdio.method.streamStdio, {});
    await stream.next();
    let seen = -1;
    await expect
      .poll(() => {
        const settled = seen === produced;
        seen = produced;
        return settled;
      })
      .toBe(true);
    expect(produced).toBeLessThan(200);
    await stream.return();
  });

  it("runs the handler's clean-up when the reader leaves, also while it is held back", async () => {
    let cleaned = false;
    const { client } = await pair(
      routes(GRPCStdio, {
        async *streamStdio() {
          try {
            for (;;) yield { channel: 1, data: new Uint8Array(64 * 1024) };
          } finally {
            cleaned = true;
          }
        },
      }),
    );
    for await (const _ of client.serverStream(GRPCStdio.method.streamStdio, {})) break;
    await expect.poll(() => cleaned).toBe(true);
  });

  it("reports an error after messages, with the messages", async () => {
    const { client } = await pair(
      routes(GRPCStdio, {
        async *streamStdio() {
          yield { channel: 1, data: new Uint8Array(1) };
          throw new GrpcError(Code.DATA_LOSS, "half");
        },
      }),
    );
    const stream = client.serverStream(GRPCStdio.method.streamStdio, {});
    expect((await stream.next()).done).toBe(false);
    await expect(stream.next()).rejects.toMatchObject({ code: Code.DATA_LOSS, message: "half" });
  });
});

describe("a bidirectional stream", () => {
  it("answers message by message until the client half-closes", async () => {
    const { client } = await pair(
      routes(GRPCBroker, {
        async *startStream(requests) {
          for await (const { serviceId } of requests) yield { serviceId: serviceId + 1 };
        },
      }),
    );
    const call = await client.open(GRPCBroker.method.startStream);
    const responses = call.responses();
    for (const serviceId of [1, 5]) {
      call.send({ serviceId });
      expect((await responses.next()).value).toMatchObject({ serviceId: serviceId + 1 });
    }
    call.end();
    expect((await responses.next()).done).toBe(true);
  });
});

describe("a request that is no gRPC call", () => {
  it.each([
    ["GET", "application/grpc", 405],
    ["POST", "application/json", 415],
    ["POST", "application/grpcweb", 415],
  ])("is answered by HTTP: %s with %s is %d", async (method, contentType, status) => {
    const { path } = await pair(routes(GRPCController, { shutdown: () => ({}) }));
    const session = http2.connect("http://localhost", { createConnection: () => net.connect(path) });
    const request = session.request({
      ":method": method,
      ":path": "/plugin.GRPCController/Shutdown",
      "content-type": contentType,
    });
    request.end();
    const headers = await new Promise<http2.IncomingHttpHeaders>((resolve) =>
      request.once("response", resolve),
    );
    expect(headers[":status"]).toBe(status);
    session.destroy();
  });
});
