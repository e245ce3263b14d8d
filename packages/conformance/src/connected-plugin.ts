// A plugin that is started and connected as the kernel connects: broker stream, callbacks announced, stdio stream.

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
  GRPCStdio,
  type ToolEventSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
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

/** A connected plugin. Disposing ends it hard; `Shutdown` is a check's business. */
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

  /** Waits for the handshake. The connection is dialled by the first call. Throws with the reason where there is nothing to connect to. */
  static async over(subject: Subject, kernel: StandInKernel, startMs: number): Promise<ConnectedPlugin> {
    const line = await subject.handshake(startMs);
    const address = line === undefined ? undefined : addressOf(line);
    if (address === undefined) {
      const why =
        line === undefined
          ? `no handshake within ${startMs} ms`
          : `its first line was ${JSON.stringify(line.slice(0, 200))}`;
      const last = subject.stderrLines.at(-1);
      throw new Error(
        `the plugin cannot be connected to: ${why}${last === undefined ? "" : `; stderr: ${last}`}`,
      );
    }
    return new ConnectedPlugin(subject, address, kernel);
  }

  /** Opens the broker's stream with the callbacks' address on it, and that of the plugin's output. */
  async openStreams(): Promise<void> {
    this.broker = await this.client.open(GRPCBroker.method.startStream);
    this.broker.send({ serviceId: 1, network: "unix", address: this.kernel.path });
    drop(this.broker.responses());
    drop(this.client.serverStream(GRPCStdio.method.streamStdio, {}));
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close();
    await this.subject[Symbol.asyncDispose]();
  }
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
