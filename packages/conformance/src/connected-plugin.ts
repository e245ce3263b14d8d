// A plugin that is started and connected as the kernel connects: broker stream, callbacks announced, stdio stream.

import { existsSync } from "node:fs";
import type { MessageShape } from "@bufbuild/protobuf";
import {
  type Address,
  type CallOptions,
  type ClientCall,
  GrpcClient,
  GrpcError,
} from "@pluggableharness/grpc";
import {
  type GetSchemaResponseSchema,
  GRPCBroker,
  GRPCController,
  GRPCStdio,
  Health,
  type ToolEventSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { eventually } from "./bounded-wait.ts";
import { addressOf } from "./handshake-fields.ts";
import type { JsonObject } from "./recipe.ts";
import type { StandInKernel } from "./stand-in-kernel.ts";
import type { Subject } from "./subject.ts";

export type PluginSchema = MessageShape<typeof GetSchemaResponseSchema>;
export type ToolSchema = PluginSchema["tools"][number];
export type ToolEvent = MessageShape<typeof ToolEventSchema>["event"];

/** The longest a plugin may take for what it has to answer at once. */
export const QUICK_MS = 2_000;
/** The longest a call of a recipe may take. */
export const CALL_MS = 15_000;
/** How long one that prints its line too early may take to listen. */
const LATE_MS = 1_000;
/** How long a plugin may take to end before it is killed, where no check is looking. */
const POLITE_MS = 1_000;
/** Events kept of one call. */
const MAX_EVENTS = 10_000;

/** What came of an Invoke. */
export interface InvokeOutcome {
  readonly events: readonly ToolEvent[];
  /** How the stream ended, where not with OK. */
  readonly status: GrpcError | undefined;
  readonly durationMs: number;
}

/** A call as a check writes it. */
export interface PlainCall {
  readonly tool: string;
  readonly args?: JsonObject | undefined;
  readonly workingDirectory?: string;
  readonly sessionId?: string;
}

/** A connected plugin. */
export class ConnectedPlugin implements AsyncDisposable {
  readonly subject: Subject;
  readonly client: GrpcClient;
  readonly kernel: StandInKernel;
  readonly address: Address;
  /** Undefined until `openStreams`. */
  broker: ClientCall<typeof GRPCBroker.method.startStream> | undefined;
  #calls = 0;

  constructor(subject: Subject, address: Address, kernel: StandInKernel) {
    this.subject = subject;
    this.address = address;
    this.client = new GrpcClient({ address });
    this.kernel = kernel;
  }

  /** Waits for the handshake. The connection is dialled by the first call. Throws where there is nothing to dial. */
  static async over(subject: Subject, kernel: StandInKernel, startMs: number): Promise<ConnectedPlugin> {
    const line = await subject.handshake(startMs);
    if (line === undefined) throw new Error(`the plugin cannot be connected to: ${subject.silence(startMs)}`);
    const address = addressOf(line);
    if (address === undefined)
      throw new Error(
        `the plugin cannot be connected to: its first line was ${JSON.stringify(line.slice(0, 200))}`,
      );
    await untilListening(address);
    return new ConnectedPlugin(subject, address, kernel);
  }

  /** Opens the broker's stream with the callbacks' address on it, and that of the plugin's output. */
  async openStreams(): Promise<void> {
    this.broker = await this.client.open(GRPCBroker.method.startStream);
    this.broker.send({ serviceId: 1, network: "unix", address: this.kernel.path });
    drop(this.broker.responses());
    drop(this.client.serverStream(GRPCStdio.method.streamStdio, {}));
  }

  /** A call that any plugin answers; afterwards it has seen everything that was sent before. */
  async touch(): Promise<void> {
    await statusOf(this.client.unary(Health.method.check, { service: "plugin" }, { timeoutMs: QUICK_MS }));
  }

  /** Whether it still answers. */
  async answers(): Promise<boolean> {
    const described = this.client.unary(ToolService.method.describe, {}, { timeoutMs: QUICK_MS });
    return (await statusOf(described)) === undefined;
  }

  async getSchema(): Promise<PluginSchema> {
    return await this.client.unary(ToolService.method.getSchema, {}, { timeoutMs: QUICK_MS });
  }

  /** Undefined, or the refusal. */
  async configure(config: JsonObject): Promise<GrpcError | undefined> {
    return await statusOf(
      this.client.unary(ToolService.method.configure, { config: { ...config } }, { timeoutMs: CALL_MS }),
    );
  }

  /** The call as a message. */
  message({ tool, args = {}, workingDirectory, sessionId = "conformance" }: PlainCall) {
    this.#calls++;
    return {
      id: `call-${this.#calls}`,
      toolName: tool,
      arguments: { ...args },
      callContext: { sessionId, turnId: "turn-1", workingDirectory: workingDirectory ?? process.cwd() },
    };
  }

  /** Invokes and reads to the end. */
  async invoke(call: PlainCall, options: CallOptions = { timeoutMs: CALL_MS }): Promise<InvokeOutcome> {
    const started = performance.now();
    const events: ToolEvent[] = [];
    const status = await statusOf(
      (async () => {
        const request = { call: this.message(call) };
        for await (const { event } of this.client.serverStream(ToolService.method.invoke, request, options)) {
          if (events.length < MAX_EVENTS) events.push(event?.event ?? { case: undefined });
        }
      })(),
    );
    return { events, status, durationMs: performance.now() - started };
  }

  /** Ends it as a host does: Shutdown, and where that does not help, hard. */
  async [Symbol.asyncDispose](): Promise<void> {
    const asked = statusOf(this.client.unary(GRPCController.method.shutdown, {}, { timeoutMs: POLITE_MS }));
    await Promise.race([asked.catch(() => {}), this.subject.ended]);
    this.client.close();
    await this.subject.endWithin(POLITE_MS);
    await this.subject[Symbol.asyncDispose]();
  }
}

/**
 * Waits a moment for the socket of a plugin that prints its line too early: it breaks one rule, which a check of its
 * own sees, and the others are still worth looking at.
 */
export async function untilListening(address: Address): Promise<void> {
  if (address.network === "unix") await eventually(() => existsSync(address.path), LATE_MS);
}

/** The status a call failed with; undefined where it did not. Other failures pass through. */
export async function statusOf(call: Promise<unknown>): Promise<GrpcError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof GrpcError) return error;
    throw error;
  }
}

function drop(stream: AsyncGenerator<unknown, void>): void {
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {});
}
