// gRPC as grpc-go speaks it: unknown methods, many and large messages, and bytes that are no gRPC (go-plugin.md, 'The
// gRPC client is grpc-go'; go-plugin-verified.md, section 9).
import * as net from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { type Address, Code, codeName } from "@pluggableharness/grpc";
import { ConfigureRequestSchema, RenderRequestSchema, ToolService } from "@pluggableharness/protocol/wire";
import { within } from "../bounded-wait.ts";
import { type Check, fail, type Outcome, pass, passUnless } from "../check.ts";
import { CALL_MS, type ConnectedPlugin, QUICK_MS, statusOf } from "../connected-plugin.ts";
import { pathOf, RawSession } from "../raw-call.ts";

const CLIENT = "go-plugin.md, 'The gRPC client is grpc-go'";

/** How long a connection may take to close. */
const CLOSED_MS = 150;
const describe = pathOf(ToolService.method.describe);

async function statusOfRaw(address: Address, path: string): Promise<string> {
  using session = new RawSession(address);
  const { trailers, ended } = await session.call(path, new Uint8Array(), { waitMs: QUICK_MS });
  if (!ended) return `nothing within ${QUICK_MS} ms`;
  return codeName(Number(trailers["grpc-status"] ?? Code.UNKNOWN));
}

/** Sends bytes to the listener and closes; the plugin must go on serving others. */
async function survives(plugin: ConnectedPlugin, bytes: Buffer): Promise<Outcome> {
  const { address } = plugin;
  const socket = net.connect(
    address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port },
  );
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.end(bytes);
  await within(closed, CLOSED_MS);
  socket.destroy();
  return (await plugin.answers())
    ? pass("Describe is answered afterwards")
    : fail("Describe is not answered afterwards");
}

export const grpcChecks: readonly Check[] = [
  {
    id: "grpc.unknown-method",
    rule: "An unknown method is UNIMPLEMENTED, at once.",
    source: CLIENT,
    run: async (trial) => {
      const { address } = await trial.bare.get();
      const seen = await statusOfRaw(address, "/pluggableharness.tool.v1.ToolService/NoSuchMethod");
      return seen === codeName(Code.UNIMPLEMENTED) ? pass(seen) : fail(seen);
    },
  },
  {
    id: "grpc.other-categories",
    rule: "Describe of the categories it is not is UNIMPLEMENTED, at once: the kernel asks all seven.",
    source: "semantics.md, 'Launch'",
    run: async (trial) => {
      const { address } = await trial.bare.get();
      const categories = ["model", "context", "memory", "frontend", "widget"];
      const seen = await Promise.all(
        categories.map(async (category) => {
          const service = `${category[0]?.toUpperCase()}${category.slice(1)}Service`;
          return `${service}: ${await statusOfRaw(address, `/pluggableharness.${category}.v1.${service}/Describe`)}`;
        }),
      );
      return passUnless(
        seen.filter((line) => !line.endsWith(codeName(Code.UNIMPLEMENTED))),
        "all UNIMPLEMENTED",
      );
    },
  },
  {
    id: "grpc.uncompressed",
    rule: "Responses are not compressed for a client that does not offer it.",
    source: "go-plugin-verified.md, section 9",
    run: async (trial) => {
      const { address } = await trial.bare.get();
      using session = new RawSession(address);
      const { headers } = await session.call(describe, new Uint8Array(), {
        waitMs: QUICK_MS,
      });
      const encoding = String(headers["grpc-encoding"] ?? "identity");
      return encoding === "identity" ? pass("identity") : fail(`grpc-encoding is ${encoding}`);
    },
  },
  {
    id: "grpc.content-type",
    rule: "Responses have status 200 and a content type of application/grpc.",
    source: "go-plugin-verified.md, section 9",
    run: async (trial) => {
      const { address } = await trial.bare.get();
      using session = new RawSession(address);
      const { headers } = await session.call(describe, new Uint8Array(), { waitMs: QUICK_MS });
      const type = String(headers["content-type"]);
      return Number(headers[":status"]) === 200 && /^application\/grpc($|[+;])/.test(type)
        ? pass(type)
        : fail(`HTTP status ${headers[":status"]}, content type ${type}`);
    },
  },
  {
    id: "grpc.many-streams",
    rule: "A hundred calls run at the same time on one connection.",
    source: "go-plugin-verified.md, section 9",
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const statuses = await Promise.all(
        Array.from({ length: 100 }, () =>
          statusOf(client.unary(ToolService.method.describe, {}, { timeoutMs: CALL_MS })),
        ),
      );
      const failed = statuses.filter((status) => status !== undefined);
      return failed.length === 0
        ? pass("all were answered")
        : fail(`${failed.length} failed: ${failed[0]?.message}`);
    },
  },
  {
    id: "grpc.large-request",
    rule: "A request of 8 MiB is accepted: the limit of 4 MiB that gRPC libraries begin with is lifted.",
    source: CLIENT,
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const request = create(RenderRequestSchema, {
        payload: new Uint8Array(8 * 1024 * 1024),
        schemaVersion: "none",
      });
      const status = await statusOf(client.unary(ToolService.method.render, request, { timeoutMs: CALL_MS }));
      return status?.code === Code.RESOURCE_EXHAUSTED || status?.code === Code.UNAVAILABLE
        ? fail(`${status.name}: ${status.message}`)
        : pass(status?.name ?? "it was answered");
    },
  },
  {
    id: "grpc.undecodable-request",
    rule: "A request that does not decode ends with a status, and the plugin goes on.",
    source: CLIENT,
    run: async (trial) => {
      const plugin = await trial.bare.get();
      using session = new RawSession(plugin.address);
      // Field 1 of ConfigureRequest, with a length that reaches beyond the message.
      const { trailers } = await session.call(
        pathOf(ToolService.method.configure),
        Buffer.from([0x0a, 0x7f, 0x01]),
        { waitMs: QUICK_MS },
      );
      const status = trailers["grpc-status"];
      if (status === undefined || status === "0") return fail(`the status was ${status ?? "missing"}`);
      return (await plugin.answers())
        ? pass(codeName(Number(status)))
        : fail("Describe is not answered afterwards");
    },
  },
  {
    id: "grpc.unknown-fields",
    rule: "Fields of a newer protocol are ignored.",
    source: CLIENT,
    run: async (trial) => {
      const { address } = await trial.bare.get();
      using session = new RawSession(address);
      // Field 999, a string, behind an empty message.
      const request = Buffer.concat([
        toBinary(ConfigureRequestSchema, create(ConfigureRequestSchema)),
        Buffer.from([0xba, 0x3e, 0x01, 0x78]),
      ]);
      const { trailers } = await session.call(describe, request, { waitMs: QUICK_MS });
      return trailers["grpc-status"] === "0"
        ? pass("Describe is answered")
        : fail(`the status was ${trailers["grpc-status"]}`);
    },
  },
  {
    id: "grpc.hostile-bytes",
    rule: "A connection that speaks no HTTP/2 ends by itself; the plugin goes on.",
    source: "go-plugin-verified.md, section 10",
    run: async (trial) => {
      const plugin = await trial.bare.get();
      return await survives(plugin, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    },
  },
  {
    id: "grpc.silent-connection",
    rule: "A connection that is closed without a word harms nothing.",
    source: "go-plugin-verified.md, section 10",
    run: async (trial) => await survives(await trial.bare.get(), Buffer.alloc(0)),
  },
];
