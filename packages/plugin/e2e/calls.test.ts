// Calls through the real process and socket. Numbers in brackets: go-plugin-verified.md section 10; cases from
// cases/README.md are named.
import { readdirSync, readFileSync } from "node:fs";
import * as http2 from "node:http2";
import * as net from "node:net";
import { anyIs, anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { ErrorInfoSchema, ToolErrorSchema, ToolService } from "@pluggableharness/protocol/wire";
import fc from "fast-check";
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

describe("arguments and results", () => {
  it.each([
    ["a wrong type", "say", { text: 3 }, 1, "say: text: expected string, got number 3"],
    ["a missing field", "say", {}, 1, "say: text: required string is missing"],
    ["an unknown operation", "shout", {}, 2, 'echo has no operation "shout"; it has: say, broken, count'],
    [
      "a result that breaks its schema",
      "broken",
      {},
      9,
      "does not fit its own output schema: count: expected number",
    ],
  ])("answers %s in-band", async (_name, tool, args, category, words) => {
    const { client } = await configured();
    expect(await invoke(client, tool, args)).toMatchObject([
      { case: "error", value: { category, message: expect.stringContaining(words), retryable: false } },
    ]);
  });

  it("says that it has not been configured", async () => {
    const client = connect(await start());
    expect(await invoke(client, "say", { text: "x" })).toMatchObject([
      { case: "error", value: { category: 4, message: expect.stringContaining("has not been configured") } },
    ]);
  });

  it("serves a call without context, arguments or even a call", async () => {
    const { client } = await configured();
    for (const request of [{}, { call: {} }, { call: { toolName: "say" } }]) {
      for await (const { event } of client.serverStream(ToolService.method.invoke, request)) {
        expect(event?.event.case).toBe("error");
      }
    }
    expect((await invoke(client, "say", { text: "x" })).at(-1)?.case).toBe("result");
  });

  it.each([
    ["a string [66]", "throw string", 9, "the tool failed unexpectedly: boom"],
    ["undefined [66]", "throw undefined", 9, "the tool failed unexpectedly: undefined"],
    ["a frozen error [66]", "throw frozen", 9, "the tool failed unexpectedly: Error: boom"],
    ["an error with a cycle [66]", "throw cycle", 9, "the tool failed unexpectedly: Error: boom"],
    ["a ToolError", "throw conflict", 6, "boom"],
  ])("turns a thrown value into an error: %s", async (_name, mode, category, message) => {
    const { client } = await configured();
    const events = await invoke(client, "say", { text: "boom", mode });
    expect(events).toMatchObject([
      { case: "error", value: { category, message, retryable: category === 6 } },
    ]);
  });

  it("carries 20 MB both ways [45]", async () => {
    const { client } = await configured();
    const text = "0123456789".repeat(2_000_000);
    expect((await invoke(client, "say", { text })).at(-1)).toMatchObject({
      case: "result",
      value: { payload: { text: `hello ${text}` } },
    });
  });

  it.each(["é % 100\nnext line", "lone \ud800 surrogate", "x".repeat(100_000)])(
    "keeps status headers valid for the message %# [44]",
    async (text) => {
      const { client } = await configured();
      const preview = client.unary(ToolService.method.preview, { call: { toolName: text } });
      await expect(preview).rejects.toMatchObject({ code: Code.NOT_FOUND });
      await client.unary(ToolService.method.describe, {});
    },
  );
});

describe("failures as a status", () => {
  it("carry equal code and message, ErrorInfo and the ToolError [43]", async () => {
    const client = connect(await start());
    const failure = await client
      .unary(ToolService.method.configure, { config: {} })
      .catch((error: unknown) => error);
    if (!(failure instanceof GrpcError)) throw new Error("Configure should have failed");
    expect(failure.code).toBe(Code.INVALID_ARGUMENT);
    expect(failure.message).toBe("the provider block is not valid: greeting: required string is missing");
    const [info, tool] = failure.details;
    if (info === undefined || tool === undefined) throw new Error("two details were expected");
    expect(anyIs(info, ErrorInfoSchema)).toBe(true);
    expect(anyUnpack(info, ErrorInfoSchema)).toMatchObject({
      domain: "tool.pluggableharness.dev",
      reason: "invalid_arguments",
    });
    expect(anyUnpack(tool, ToolErrorSchema)).toMatchObject({ category: 1, message: failure.message });
  });

  it("of the author's own refusal keep its category", async () => {
    const client = connect(await start());
    await expect(
      client.unary(ToolService.method.configure, { config: { greeting: "refuse" } }),
    ).rejects.toMatchObject({
      code: Code.PERMISSION_DENIED,
      message: "this greeting is refused",
    });
  });

  it("of Render name what is wrong with the stored bytes", async () => {
    const client = connect(await start());
    const render = (payload: Uint8Array, schemaVersion: string) =>
      client.unary(ToolService.method.render, { payload, schemaVersion });
    const cases = [
      [new Uint8Array(), "1", "neither"],
      [new Uint8Array([0xff, 0xff, 0xff]), "1", "neither"],
      [new TextEncoder().encode("not a message at all"), "1", "neither"],
      [new Uint8Array([10, 0]), "2", 'schema_version "2" is not known'],
      [new Uint8Array([18, 0]), "1", "names no operation"],
    ] as const;
    for (const [payload, version, words] of cases) {
      await expect(render(payload, version)).rejects.toMatchObject({
        code: Code.INVALID_ARGUMENT,
        message: expect.stringContaining(words),
      });
    }
  });
});

describe("Preview", () => {
  it("answers the kernel's empty probe quickly, and not with UNIMPLEMENTED", async () => {
    const { client } = await configured();
    for (const request of [{}, { call: {} }]) {
      await expect(client.unary(ToolService.method.preview, request)).rejects.toMatchObject({
        code: Code.NOT_FOUND,
      });
    }
  });

  it("that hangs ends at its deadline", async () => {
    const { client } = await configured();
    const call = { toolName: "say", arguments: { text: "x", mode: "never" } };
    await expect(
      client.unary(ToolService.method.preview, { call }, { timeoutMs: 300 }),
    ).rejects.toMatchObject({
      code: Code.DEADLINE_EXCEEDED,
    });
  });

  it("shows what the tool says, made safe, and is UNIMPLEMENTED where the tool has none", async () => {
    const { client } = await configured();
    const call = { toolName: "say", arguments: { text: "\u001b[31m" } };
    expect(await client.unary(ToolService.method.preview, { call })).toMatchObject({
      preview: { root: { node: { case: "text", value: { content: "would say ␛[31m" } } } },
    });
    await expect(
      client.unary(ToolService.method.preview, { call: { toolName: "broken" } }),
    ).rejects.toMatchObject({
      code: Code.UNIMPLEMENTED,
    });
  });
});

describe("cancellation and deadlines", () => {
  it("ends a streaming tool when the host resets the call, and logs no error [42]", async () => {
    const { client, running } = await configured();
    const cancel = new AbortController();
    const stream = client.serverStream(
      ToolService.method.invoke,
      { call: { id: "call-9", toolName: "count", arguments: { chunks: 1_000_000, bytes: 10, pause_ms: 1 } } },
      { signal: cancel.signal },
    );
    await stream.next();
    await stream.next();
    cancel.abort();
    await expect(stream.next().then(() => stream.next())).rejects.toMatchObject({ code: Code.CANCELLED });
    await invokeShutdownLog(client);
    const log = await eventually(running.stderr, (text) => text.includes("count ended"));
    expect(log).toContain('"aborted":true');
    expect(log).toContain('"message":"after the cancel"'.replace("message", "@message"));
    expect(log).not.toContain('"@level":"error"');
  });

  it("reports a deadline in-band a little before it strikes [41]", async () => {
    const { client } = await configured();
    const started = performance.now();
    const events = await invoke(
      client,
      "count",
      { chunks: 1_000_000, bytes: 10, pause_ms: 5 },
      { timeoutMs: 500 },
    );
    expect(performance.now() - started).toBeLessThan(500);
    expect(events.slice(-2)).toMatchObject([
      { case: "partialResult", value: { payload: { sent: expect.any(Number) } } },
      { case: "error", value: { category: 5, retryable: true } },
    ]);
  });

  it("does not wait for a tool that never settles [66]", async () => {
    const { client } = await configured();
    const events = invoke(client, "say", { text: "x", mode: "never" }, { timeoutMs: 300 });
    await expect(events).rejects.toMatchObject({ code: Code.DEADLINE_EXCEEDED });
    expect((await invoke(client, "say", { text: "x" })).at(-1)?.case).toBe("result");
  });

  it("ends a tool that is held back by a reader who then goes away", async () => {
    const { client, running } = await configured();
    const stream = client.serverStream(ToolService.method.invoke, {
      call: { id: "call-9", toolName: "count", arguments: { chunks: 100_000, bytes: 100_000 } },
    });
    await stream.next();
    const memory = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.process.pid}/status`, "utf8"))?.[1]);
    const held = memory();
    for (let probe = 0; probe < 20; probe++) await client.unary(ToolService.method.describe, {});
    expect(memory()).toBeLessThan(held + 100 * 1024);
    await stream.return();
    await invokeShutdownLog(client);
    await eventually(running.stderr, (text) => text.includes("count ended"));
  });

  async function invokeShutdownLog(client: Parameters<typeof openBroker>[0]): Promise<void> {
    // A kernel that refuses Log makes the plugin write its records to stderr, where the test reads them.
    const kernel = await serveCallbacks({});
    (await openBroker(client)).announce(1, "unix", kernel.address);
  }
});

describe("load", () => {
  it("serves two hundred calls at once and a thousand in a row with as many descriptors as before [70]", async () => {
    const { client, running } = await configured();
    const descriptors = () => readdirSync(`/proc/${running.process.pid}/fd`).length;
    await invoke(client, "say", { text: "warm" });
    const before = descriptors();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => invoke(client, "say", { text: `${index}` })),
    );
    expect(answers.map((events) => events.length)).toEqual(Array.from({ length: 200 }, () => 1));
    for (let call = 0; call < 1_000; call++) await invoke(client, "say", { text: "again" });
    expect(descriptors()).toBe(before);
  });

  it("survives any bytes on its socket", async () => {
    const { client, running } = await configured();
    const path = running.line.split("|")[3] ?? "";
    const preface = Buffer.from(
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000",
      "latin1",
    );
    const garbage = (bytes: Uint8Array, withPreface: boolean) =>
      new Promise<void>((resolve) => {
        const socket = net.connect(path, () =>
          socket.end(withPreface ? Buffer.concat([preface, bytes]) : bytes),
        );
        socket.on("error", () => {});
        socket.resume();
        socket.once("close", () => resolve());
      });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), async (bytes, withPreface) => {
        await garbage(bytes, withPreface);
        expect(running.process.exitCode).toBeNull();
      }),
      { numRuns: 200 },
    );
    expect((await invoke(client, "say", { text: "still" })).at(-1)?.case).toBe("result");
  });

  it("answers any message bytes with a status or an error event", async () => {
    const { client, running } = await configured();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (payload) => {
        await expect(
          client.unary(ToolService.method.render, { payload, schemaVersion: "1" }),
        ).rejects.toBeInstanceOf(GrpcError);
      }),
      { numRuns: 200 },
    );
    expect(running.process.exitCode).toBeNull();
  });

  it("serves deep nesting, refuses nesting without end, and goes on [64]", async () => {
    const { client, running } = await configured();
    expect(await rawInvoke(running.line, nestedArguments(300))).toBe("0");
    expect(await rawInvoke(running.line, nestedArguments(5_000))).toBe(String(Code.INVALID_ARGUMENT));
    expect((await invoke(client, "say", { text: "x" })).at(-1)?.case).toBe("result");
  });
});

/** InvokeRequest bytes of a call of `say` whose argument `deep` is that many lists in each other. */
function nestedArguments(levels: number): Buffer {
  let value: Buffer = Buffer.from([0x20, 1]);
  for (let level = 0; level < levels; level++) value = field(6, field(1, value));
  const entry = (key: string, content: Buffer) =>
    field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, content)]));
  const args = Buffer.concat([entry("deep", value), entry("text", field(3, Buffer.from("x")))]);
  return field(1, Buffer.concat([field(2, Buffer.from("say")), field(3, args)]));
}

function field(number: number, content: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
}

/** The grpc-status of an Invoke with these request bytes. */
async function rawInvoke(line: string, message: Buffer): Promise<string> {
  const session = http2.connect("http://localhost", {
    createConnection: () => net.connect(line.split("|")[3] ?? ""),
  });
  const request = session.request({
    ":method": "POST",
    ":path": "/pluggableharness.tool.v1.ToolService/Invoke",
    "content-type": "application/grpc",
    te: "trailers",
  });
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  request.end(Buffer.concat([header, message]));
  const status = await new Promise<string>((resolve) => {
    const take = (headers: http2.IncomingHttpHeaders): void => {
      if (headers["grpc-status"] !== undefined) resolve(String(headers["grpc-status"]));
    };
    request.on("response", take);
    request.on("trailers", take);
    request.resume();
  });
  session.destroy();
  return status;
}
