// A running plugin from its launch to its end, as the kernel handles one: bring-up, calls, and a close that never
// hangs (semantics.md, 'Launch'; go-plugin-verified.md section 8).
import type { MessageShape } from "@bufbuild/protobuf";
import {
  type Address,
  type CallOptions,
  type ClientCall,
  Code,
  GrpcClient,
  GrpcError,
} from "@pluggableharness/grpc";
import { type Json, ToolError } from "@pluggableharness/protocol";
import {
  type DescribeResponseSchema,
  type GetSchemaResponseSchema,
  GRPCBroker,
  GRPCController,
  GRPCStdio,
  type RenderTreeSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { invokeTool, type ToolCallInit, type ToolEvent } from "./call.ts";
import { type CallbackHandlers, type CallbackServer, serveCallbacks } from "./callback-server.ts";
import { parseHandshakeLine } from "./handshake-line.ts";
import { type ProcessEnd, type SpawnedPlugin, type SpawnOptions, spawnPlugin } from "./spawn-plugin.ts";
import { toolErrorOf } from "./status-failure.ts";

export interface LaunchOptions extends SpawnOptions {
  /** What the plugin may call; log and configuration by default are not served. */
  readonly callbacks?: CallbackHandlers;
}

type Producer = NonNullable<MessageShape<typeof DescribeResponseSchema>["producer"]>;
type Schema = MessageShape<typeof GetSchemaResponseSchema>;
type RenderTree = MessageShape<typeof RenderTreeSchema>;

/** The broker id on which a plugin expects its host's callbacks. */
const CALLBACK_ID = 1;
/** Bring-up calls and Shutdown answer at once or not at all. */
const QUICK_CALL_MS = 10_000;
const SHUTDOWN_MS = 2_000;
const EXIT_MS = 2_000;

/** A plugin that was launched. Close it; `await using` does. */
export class PluginProcess implements AsyncDisposable {
  readonly #spawned: SpawnedPlugin;
  readonly #client: GrpcClient;
  readonly #callbacks: CallbackServer;
  readonly #broker: ClientCall<typeof GRPCBroker.method.startStream>;
  #end: ProcessEnd | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    spawned: SpawnedPlugin,
    client: GrpcClient,
    callbacks: CallbackServer,
    broker: ClientCall<typeof GRPCBroker.method.startStream>,
  ) {
    this.#spawned = spawned;
    this.#client = client;
    this.#callbacks = callbacks;
    this.#broker = broker;
    void spawned.ended.then((end) => {
      this.#end = end;
    });
  }

  /** Starts the executable and connects to it. Throws, with nothing left behind, where that fails. */
  static async launch(path: string, options: LaunchOptions = {}): Promise<PluginProcess> {
    const spawned = await spawnPlugin(path, options).catch((error: Error) => {
      throw launchFailure(path, error);
    });
    let client: GrpcClient | undefined;
    let callbacks: CallbackServer | undefined;
    try {
      client = new GrpcClient({ address: parseHandshakeLine(spawned.line) });
      callbacks = await serveCallbacks(options.callbacks ?? {});
      const broker = await client.open(GRPCBroker.method.startStream);
      broker.send({ serviceId: CALLBACK_ID, network: callbacks.network, address: callbacks.address });
      dropAll(broker.responses());
      dropAll(client.serverStream(GRPCStdio.method.streamStdio, {}));
      return new PluginProcess(spawned, client, callbacks, broker);
    } catch (error) {
      client?.close();
      callbacks?.[Symbol.dispose]();
      spawned.kill();
      await spawned.ended;
      throw launchFailure(path, error);
    }
  }

  /** Of the plugin's process. */
  get pid(): number {
    return this.#spawned.pid;
  }

  /** Where it listens. */
  get address(): Address {
    return this.#client.address;
  }

  /** Resolves when the process is gone, for whatever reason. */
  get ended(): Promise<ProcessEnd> {
    return this.#spawned.ended;
  }

  /** Who the plugin says it is. */
  async describe(): Promise<Producer> {
    const { producer } = await this.#call(() => this.#client.unary(ToolService.method.describe, {}, quick));
    if (producer === undefined)
      throw new ToolError("unknown", "the plugin described itself without a producer");
    return producer;
  }

  /** Its operations and its configuration. */
  async getSchema(): Promise<Schema> {
    return await this.#call(() => this.#client.unary(ToolService.method.getSchema, {}, quick));
  }

  /** Configures it. Throws the ToolError of a refusal. */
  async configure(config: { [key: string]: Json }, options: CallOptions = {}): Promise<void> {
    await this.#call(() => this.#client.unary(ToolService.method.configure, { config }, options));
  }

  /** What a call would do; undefined where the plugin has no preview for it. */
  async preview(call: ToolCallInit, options: CallOptions = {}): Promise<RenderTree | undefined> {
    try {
      const { preview } = await this.#call(() =>
        this.#client.unary(ToolService.method.preview, { call }, options),
      );
      return preview;
    } catch (error) {
      if (error instanceof GrpcError && error.code === Code.UNIMPLEMENTED) return undefined;
      throw error;
    }
  }

  /** The events of a call, ending with its result; see `invokeTool`. */
  async *invoke(call: ToolCallInit, options: CallOptions = {}): AsyncGenerator<ToolEvent, void> {
    try {
      yield* invokeTool(this.#client, call, options);
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** A stored payload as something to show; undefined where the plugin renders nothing. */
  async render(
    payload: Uint8Array,
    schemaVersion: string,
    options: CallOptions = {},
  ): Promise<RenderTree | undefined> {
    try {
      const { tree } = await this.#call(() =>
        this.#client.unary(ToolService.method.render, { payload, schemaVersion }, options),
      );
      return tree;
    } catch (error) {
      if (error instanceof GrpcError && error.code === Code.UNIMPLEMENTED) return undefined;
      throw error;
    }
  }

  /** Ends the plugin: politely, and after about four seconds by SIGKILL. Safe to call twice; never throws. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    // Whatever Shutdown answers, the process is what counts.
    const asked = this.#client
      .unary(GRPCController.method.shutdown, {}, { timeoutMs: SHUTDOWN_MS })
      .catch(() => {});
    await Promise.race([asked, this.ended]);
    this.#broker.cancel();
    this.#client.close();
    const killer = setTimeout(() => this.#spawned.kill(), EXIT_MS);
    await this.ended;
    clearTimeout(killer);
    this.#callbacks[Symbol.dispose]();
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw await this.#explained(toolErrorOf(error));
    }
  }

  /** A lost connection as process_crashed, where the process is gone; a moment is given for its end to be seen. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof GrpcError) || error.code !== Code.UNAVAILABLE) return error;
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 500);
    });
    await Promise.race([this.ended, moment]);
    clearTimeout(timer);
    if (this.#end === undefined)
      return new ToolError("unknown", `the connection to the plugin was lost: ${error.message}`, {
        cause: error,
      });
    const { code, signal } = this.#end;
    return new ToolError(
      "process_crashed",
      `the plugin ended with ${signal ?? `exit code ${code}`} during the call`,
      { cause: error },
    );
  }
}

const quick: CallOptions = { timeoutMs: QUICK_CALL_MS };

/** Reads a stream that stays open for the connection's life; its end is the connection's, and noticed elsewhere. */
function dropAll(stream: AsyncGenerator<unknown, void>): void {
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {});
}

function launchFailure(path: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`cannot launch ${path}: ${why}`, { cause: error });
}
