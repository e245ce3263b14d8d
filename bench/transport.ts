// Our server, with the whole SDK behind it, against @grpc/grpc-js with nothing behind it: the same messages and
// the same client (grpc-js's own) in alternating rounds.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { GrpcClient } from "@pluggableharness/grpc";
import { ConfigureRequestSchema, ToolService } from "@pluggableharness/protocol/wire";
import { buildSync } from "esbuild";
import { inCheckout, median, pluginEnvironment, type Row, startForLine, stop } from "./measure.ts";
import {
  DescribeRequestSchema,
  DescribeResponseSchema,
  InvokeRequestSchema,
  InvokeResponseSchema,
} from "./messages.ts";

const ROUNDS = 8;
const UNARY_CALLS = 2_000;
const streams = [
  { name: "stream of 1 KiB", bytes: 1024, chunks: 30_000 },
  { name: "stream of 64 KiB", bytes: 64 * 1024, chunks: 2_000 },
] as const;

/** Unary latency and stream throughput as ratios. */
export async function measureTransport(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const reference = join(folder, "reference.sock");
  const plugin = join(folder, "echo.cjs");
  buildSync({
    entryPoints: [inCheckout("packages/plugin/e2e/fixtures/echo-plugin.ts")],
    outfile: plugin,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    conditions: ["source"],
    logLevel: "error",
  });
  const theirs = await startForLine(process.execPath, [
    "--conditions=source",
    inCheckout("bench/grpc-js-server.ts"),
    reference,
  ]);
  const ours = await startForLine(process.execPath, [plugin], pluginEnvironment);
  try {
    const path = ours.line.split("|")[3] ?? "";
    const results = { ours: new Side(path), theirs: new Side(reference) };
    await results.ours.configure();
    for (let round = 0; round < ROUNDS; round++) {
      await results.theirs.round();
      await results.ours.round();
      // The first round warms both sides up.
      if (round === 0) for (const side of [results.ours, results.theirs]) side.forget();
    }
    results.ours.close();
    results.theirs.close();
    return [...rows(results.ours, results.theirs), await ownClient(path, results.theirs)];
  } finally {
    await Promise.all([stop(ours.child), stop(theirs.child)]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function rows(ours: Side, theirs: Side): Row[] {
  const unary: Row = {
    name: "unary call, median",
    detail: `${median(ours.unaryMs).toFixed(3)} ms against ${median(theirs.unaryMs).toFixed(3)} ms`,
    ratio: median(ours.unaryMs) / median(theirs.unaryMs),
    bound: { atMost: 1.3 },
  };
  const throughput = streams.map(({ name }, index): Row => {
    const [own, other] = [median(ours.perSecond[index] ?? []), median(theirs.perSecond[index] ?? [])];
    return {
      name,
      detail: `${Math.round(own)}/s against ${Math.round(other)}/s`,
      ratio: own / other,
      bound: { atLeast: 0.9 },
    };
  });
  return [unary, ...throughput];
}

/** Our client against our server, against grpc-js against grpc-js: what packages/host gives. */
async function ownClient(path: string, theirs: Side): Promise<Row> {
  using client = new GrpcClient({ address: { network: "unix", path } });
  const times: number[] = [];
  for (let call = 0; call < 2 * UNARY_CALLS; call++) {
    const started = performance.now();
    await client.unary(ToolService.method.describe, {});
    if (call >= UNARY_CALLS) times.push(performance.now() - started);
  }
  return {
    name: "unary call with our own client",
    detail: `${median(times).toFixed(3)} ms against ${median(theirs.unaryMs).toFixed(3)} ms`,
    ratio: median(times) / median(theirs.unaryMs),
    bound: { atMost: 1.3 },
  };
}

/** One server with its measurements. */
class Side {
  readonly unaryMs: number[] = [];
  readonly perSecond: number[][] = streams.map(() => []);
  readonly #client: grpc.Client;

  constructor(path: string) {
    this.#client = new grpc.Client(`unix:${path}`, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
  }

  async configure(): Promise<void> {
    const request = Buffer.from(
      toBinary(ConfigureRequestSchema, create(ConfigureRequestSchema, { config: { greeting: "hello" } })),
    );
    await new Promise<void>((resolve, reject) => {
      this.#client.makeUnaryRequest(
        "/pluggableharness.tool.v1.ToolService/Configure",
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        request,
        (error) => (error === null ? resolve() : reject(error)),
      );
    });
  }

  async round(): Promise<void> {
    for (let call = 0; call < UNARY_CALLS; call++) {
      const started = performance.now();
      await this.#describe();
      this.unaryMs.push(performance.now() - started);
    }
    for (const [index, { chunks, bytes }] of streams.entries()) {
      const started = performance.now();
      const events = await this.#stream(chunks, bytes);
      this.perSecond[index]?.push(events / ((performance.now() - started) / 1_000));
    }
  }

  /** Drops what was measured so far. */
  forget(): void {
    this.unaryMs.length = 0;
    for (const measured of this.perSecond) measured.length = 0;
  }

  close(): void {
    this.#client.close();
  }

  #describe(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        "/pluggableharness.tool.v1.ToolService/Describe",
        (message: object) =>
          Buffer.from(toBinary(DescribeRequestSchema, create(DescribeRequestSchema, message))),
        (bytes: Buffer) => fromBinary(DescribeResponseSchema, bytes),
        {},
        (error, response) => (error === null ? resolve(response) : reject(error)),
      );
    });
  }

  #stream(chunks: number, bytes: number): Promise<number> {
    const request = create(InvokeRequestSchema, {
      call: { id: "1", toolName: "count", arguments: { chunks, bytes } },
    });
    return new Promise((resolve, reject) => {
      const stream = this.#client.makeServerStreamRequest(
        "/pluggableharness.tool.v1.ToolService/Invoke",
        (message: typeof request) => Buffer.from(toBinary(InvokeRequestSchema, message)),
        (raw: Buffer) => fromBinary(InvokeResponseSchema, raw),
        request,
      );
      let events = 0;
      stream.on("data", () => events++);
      stream.once("end", () => resolve(events));
      stream.once("error", reject);
    });
  }
}
