// A running plugin from its launch to its end, as the kernel handles one: bring-up, calls, and a close that never
// hangs (semantics.md, 'Launch'; go-plugin-verified.md section 8).
import type { MessageShape } from "@bufbuild/protobuf";
import { type Address, type CallOptions, Code, type GrpcClient, GrpcError } from "@pluggableharness/grpc";
import { type Json, ToolError } from "@pluggableharness/protocol";
import {
  type DescribeResponseSchema,
  type GetSchemaResponseSchema,
  GRPCController,
  type RenderTreeSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { bringUp, type LaunchedPlugin, type LaunchOptions } from "./bring-up.ts";
import { invokeTool, type ToolCallInit, type ToolEvent } from "./call.ts";
import type { ProcessEnd } from "./spawn-plugin.ts";
import { toolErrorOf } from "./status-failure.ts";

/** Who a plugin says it is. */
export type Producer = NonNullable<MessageShape<typeof DescribeResponseSchema>["producer"]>;
type Schema = MessageShape<typeof GetSchemaResponseSchema>;
/** Something to show. */
export type RenderTree = MessageShape<typeof RenderTreeSchema>;

/** Bring-up calls answer at once or not at all. */
const QUICK_CALL_MS = 10_000;
/**
 * Largest answer to anything but Invoke. Decoded, a message of empty parts takes a hundred times its size; a schema or a
 * picture that a person can read has a few thousand bytes.
 */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Largest event of a call. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const bounded: CallOptions = { maxMessageBytes: MAX_ANSWER_BYTES };
const SHUTDOWN_MS = 2_000;
const EXIT_MS = 2_000;
/** From the loss of a connection to the end of the process that held it. */
const CRASH_SEEN_MS = 500;

/** A plugin that was launched. Close it; `await using` does. */
export class PluginProcess implements AsyncDisposable {
  readonly #launched: LaunchedPlugin;
  readonly #quick: CallOptions;
  #end: ProcessEnd | undefined;
  #closing: Promise<void> | undefined;
  /** It had ended before it was closed. */
  #crashed = false;

  private constructor(launched: LaunchedPlugin, answerTimeoutMs = QUICK_CALL_MS) {
    this.#launched = launched;
    this.#quick = { timeoutMs: answerTimeoutMs, maxMessageBytes: MAX_ANSWER_BYTES };
    void launched.spawned.ended.then((end) => {
      this.#end = end;
    });
  }

  /** Starts the executable and connects to it. Throws, with nothing left behind, where that fails. */
  static async launch(path: string, options: LaunchOptions = {}): Promise<PluginProcess> {
    return new PluginProcess(await bringUp(path, options), options.answerTimeoutMs);
  }

  /** Of the plugin's process. */
  get pid(): number {
    return this.#launched.spawned.pid;
  }

  /** Where it listens. */
  get address(): Address {
    return this.#client.address;
  }

  /** What it last wrote to stderr, oldest first; where it has ended, what it wrote before its end. */
  async lastLines(): Promise<readonly string[]> {
    if (this.#end !== undefined) await this.#launched.spawned.drained;
    return this.#launched.lastLines.lines;
  }

  /** Resolves when the process is gone, for whatever reason. */
  get ended(): Promise<ProcessEnd> {
    return this.#launched.spawned.ended;
  }

  /** Who the plugin says it is. */
  async describe(): Promise<Producer> {
    const { producer } = await this.#call(() =>
      this.#client.unary(ToolService.method.describe, {}, this.#quick),
    );
    if (producer === undefined)
      throw new ToolError("unknown", "the plugin described itself without a producer");
    return producer;
  }

  /** Its operations and its configuration. */
  async getSchema(): Promise<Schema> {
    return await this.#call(() => this.#client.unary(ToolService.method.getSchema, {}, this.#quick));
  }

  /** Configures it. Throws the ToolError of a refusal. */
  async configure(config: { [key: string]: Json }, options: CallOptions = {}): Promise<void> {
    await this.#call(() => this.#client.unary(ToolService.method.configure, { config }, options));
  }

  /**
   * Whether it has previews, learnt as the kernel learns it: an empty call, to which any answer but UNIMPLEMENTED
   * counts. A plugin that does not answer has none.
   */
  async implementsPreview(): Promise<boolean> {
    try {
      await this.#client.unary(ToolService.method.preview, { call: {} }, this.#quick);
      return true;
    } catch (error) {
      if (!(error instanceof GrpcError) || error.code === Code.UNAVAILABLE)
        throw await this.#explained(error);
      return error.code !== Code.UNIMPLEMENTED && error.code !== Code.DEADLINE_EXCEEDED;
    }
  }

  /** What a call would do; undefined where the plugin has no preview for it. */
  async preview(call: ToolCallInit, options: CallOptions = {}): Promise<RenderTree | undefined> {
    const answer = await this.#callOptional(() =>
      this.#client.unary(ToolService.method.preview, { call }, { ...bounded, ...options }),
    );
    return answer?.preview;
  }

  /** The events of a call, ending with its result; see `invokeTool`. */
  async *invoke(call: ToolCallInit, options: CallOptions = {}): AsyncGenerator<ToolEvent, void> {
    try {
      yield* invokeTool(this.#client, call, { maxMessageBytes: MAX_EVENT_BYTES, ...options });
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
    const answer = await this.#callOptional(() =>
      this.#client.unary(ToolService.method.render, { payload, schemaVersion }, { ...bounded, ...options }),
    );
    return answer?.tree;
  }

  /**
   * Ends the plugin: politely, and after about four seconds by SIGKILL. Calls under way end as `cancelled`. Resolves
   * when nothing of it is left. Safe to call twice; never throws.
   */
  close(): Promise<void> {
    if (this.#closing === undefined) this.#crashed = this.#end !== undefined;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const { spawned, client, disconnect, free } = this.#launched;
    // Whatever Shutdown answers, the process is what counts.
    const asked = client
      .unary(GRPCController.method.shutdown, {}, { timeoutMs: SHUTDOWN_MS })
      .catch(() => {});
    await Promise.race([asked, spawned.ended]);
    disconnect();
    const killer = setTimeout(() => spawned.kill(), EXIT_MS);
    await spawned.ended;
    clearTimeout(killer);
    await spawned.drained;
    free();
  }

  get #client(): GrpcClient {
    return this.#launched.client;
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** A call of a method that a plugin may lack; undefined where it does. */
  async #callOptional<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof GrpcError && error.code === Code.UNIMPLEMENTED) return undefined;
      throw await this.#explained(error);
    }
  }

  /**
   * A status as a ToolError; a lost connection as process_crashed, where the process is gone: a moment is given for
   * its end to be seen. Other values as they are.
   */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof GrpcError)) return error;
    if (error.code !== Code.UNAVAILABLE) return toolErrorOf(error);
    if (this.#closing !== undefined && !this.#crashed)
      return new ToolError("cancelled", "the plugin was closed before it answered", { cause: error });
    await this.#endWithin(CRASH_SEEN_MS);
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

  async #endWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.ended, moment]);
    clearTimeout(timer);
  }
}
