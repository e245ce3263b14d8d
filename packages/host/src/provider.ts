// One configured plugin under supervision: started when it is first needed, brought up in the kernel's order, started
// again after a crash by the next call, and left alone for a while where it fails again and again (semantics.md,
// 'Launch').
import { isToolError, type Json, ToolError } from "@pluggableharness/protocol";
import type { ConfigSchema } from "@pluggableharness/protocol/wire";
import type { ToolCallInit, ToolEvent } from "./call.ts";
import { CallLock } from "./call-lock.ts";
import { type BreakerLimits, CircuitBreaker } from "./circuit-breaker.ts";
import { checkIdentity, type LocatedPlugin } from "./expected-plugin.ts";
import { kernelServices, type SharedServices } from "./kernel/kernel-services.ts";
import { lastWords } from "./last-lines.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { PluginProcess, type Producer, type RenderTree } from "./plugin-process.ts";
import { createRedact, type Redact, redactError, redactRecord, secretsOf } from "./redact.ts";
import type { LogRecord } from "./stderr-record.ts";
import { asToolError, untilAborted } from "./until-aborted.ts";

export interface ProviderOptions {
  /** Its local name in agent.hcl. */
  readonly name: string;
  /** Finds its executable, and what the lock file says it must be. Asked at each start; throws where there is none. */
  readonly locate: () => Promise<LocatedPlugin> | LocatedPlugin;
  /** Its configuration, decoded against what it says it takes. Throws where that fails. */
  readonly decodeConfig: (
    schema: ConfigSchema | undefined,
  ) => { [key: string]: Json } | Promise<{ [key: string]: Json }>;
  /** Variables beyond PATH, HOME and TMPDIR. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it may call. */
  readonly services: SharedServices;
  /** Takes what it logs and what it writes to stderr, without secrets. */
  readonly onLog?: (record: LogRecord) => void;
  readonly startTimeoutMs?: number;
  /** When it is not started any more. */
  readonly limits?: BreakerLimits;
}

export interface ProviderCallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** A plugin that is up. */
export interface ReadyPlugin {
  readonly process: PluginProcess;
  readonly producer: Producer;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly hasPreviews: boolean;
}

interface Failure {
  readonly category: "process_crashed" | "execution_failed";
  readonly why: Promise<string> | string;
}

const CONFIGURE_MS = 60_000;

/** A provider of an agent. Close it; nothing of it is left then. */
export class Provider implements AsyncDisposable {
  /** Which of its calls may run at the same time. */
  readonly lock = new CallLock();
  readonly #options: ProviderOptions;
  readonly #breaker: CircuitBreaker;
  readonly #closing = new AbortController();
  #plugin: Promise<ReadyPlugin> | undefined;
  /** Processes that have ended, until what is left of them is gone. */
  #leftovers: Promise<void> = Promise.resolve();
  /** How it last failed, and why. */
  #lastFailure: Failure = { category: "execution_failed", why: "" };
  #config: { [key: string]: Json } = {};
  #producer: Producer | undefined;
  #redact: Redact = (text) => text;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.limits);
  }

  /** Its local name. */
  get name(): string {
    return this.#options.name;
  }

  /** The plugin, started where it is not up. Throws a ToolError where it cannot be, or where the signal fires. */
  async ready(signal: AbortSignal): Promise<ReadyPlugin> {
    try {
      this.#closing.signal.throwIfAborted();
      // Others may wait for the same start: it goes on where this one is cancelled.
      this.#plugin ??= this.#start();
      return await untilAborted(this.#plugin, signal);
    } catch (error) {
      throw asToolError(error, signal);
    }
  }

  /** The events of a call, as PluginProcess.invoke gives them. Throws ToolErrors only. */
  async *invoke(call: ToolCallInit, options: ProviderCallOptions): AsyncGenerator<ToolEvent, void> {
    const { process } = await this.ready(options.signal);
    try {
      yield* process.invoke(call, options);
    } catch (error) {
      throw await this.#explained(error, process, options.signal);
    }
  }

  /** What a call would do; undefined where the plugin does not say. Throws ToolErrors only. */
  async preview(call: ToolCallInit, options: ProviderCallOptions): Promise<RenderTree | undefined> {
    const { process, hasPreviews } = await this.ready(options.signal);
    if (!hasPreviews) return undefined;
    try {
      return await process.preview(call, options);
    } catch (error) {
      throw await this.#explained(error, process, options.signal);
    }
  }

  /** A stored payload as something to show; undefined where the plugin renders nothing. Throws ToolErrors only. */
  async render(
    payload: Uint8Array,
    schemaVersion: string,
    options: ProviderCallOptions,
  ): Promise<RenderTree | undefined> {
    const { process } = await this.ready(options.signal);
    try {
      return await process.render(payload, schemaVersion, options);
    } catch (error) {
      throw await this.#explained(error, process, options.signal);
    }
  }

  /** Ends the plugin, or its start. Resolves when nothing of it is left; safe to call twice; never throws. */
  async close(): Promise<void> {
    this.#closing.abort(new ToolError("cancelled", `the provider ${this.name} was closed`));
    try {
      await (await this.#plugin)?.process.close();
    } catch {
      // A start that failed, or was given up just now, has left nothing.
    }
    await this.#leftovers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(): Promise<ReadyPlugin> {
    try {
      await this.#checkBreaker();
      return await this.#bringUp();
    } catch (error) {
      this.#plugin = undefined;
      throw error;
    }
  }

  async #checkBreaker(): Promise<void> {
    const openForMs = this.#breaker.openForMs(performance.now());
    if (openForMs === 0) return;
    const { category, why } = this.#lastFailure;
    throw new ToolError(
      category,
      `the provider ${this.name} has failed again and again and is not started for another ${Math.ceil(openForMs / 1_000)} s; the last time: ${await why}`,
    );
  }

  async #bringUp(): Promise<ReadyPlugin> {
    const { environment, startTimeoutMs } = this.#options;
    const { signal } = this.#closing;
    let process: PluginProcess | undefined;
    try {
      const located = await this.#options.locate();
      process = await PluginProcess.launch(located.path, {
        signal,
        callbacks: kernelServices(this.#options.services, {
          name: this.name,
          onLog: (record) => this.#options.onLog?.(redactRecord(record, this.#redact)),
          config: () => this.#config,
          producer: () => this.#producer,
        }),
        redact: (text) => this.#redact(text),
        ...(this.#options.onLog !== undefined && { onLog: this.#options.onLog }),
        ...(environment !== undefined && { environment }),
        ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      });
      const plugin = await this.#configured(process, located);
      this.#supervise(process);
      return plugin;
    } catch (error) {
      const explained = process === undefined ? error : await this.#explained(error, process, signal);
      await process?.close();
      throw signal.aborted ? signal.reason : this.#failedToStart(explained);
    }
  }

  /** What follows the launch, in the kernel's order. */
  async #configured(process: PluginProcess, located: LocatedPlugin): Promise<ReadyPlugin> {
    const { name, decodeConfig } = this.#options;
    const { signal } = this.#closing;
    const producer = await process.describe();
    this.#producer = producer;
    await checkIdentity(producer, located);
    const { tools, configSchema } = await process.getSchema();
    const operations = operationsOf(name, tools);
    this.#config = await decodeConfig(configSchema);
    this.#redact = createRedact(secretsOf(configSchema?.attributes ?? [], this.#config));
    await process.configure(this.#config, { signal, timeoutMs: CONFIGURE_MS });
    return { process, producer, operations, hasPreviews: await process.implementsPreview() };
  }

  /** From now on the end of the process is a crash, unless this side has closed it. */
  #supervise(process: PluginProcess): void {
    void process.ended.then(({ code, signal }) => {
      if (this.#closing.signal.aborted) return;
      this.#plugin = undefined;
      this.#breaker.failed(performance.now());
      const why = process
        .lastLines()
        .then((lines) => `it ended with ${signal ?? `exit code ${code}`}${lastWords(lines)}`);
      this.#lastFailure = { category: "process_crashed", why };
      this.#leftovers = this.#leftovers.then(() => process.close());
    });
  }

  #failedToStart(error: unknown): ToolError {
    const why = error instanceof Error ? error.message : String(error);
    const isCrash = isToolError(error) && error.category === "process_crashed";
    const category = isCrash ? "process_crashed" : "execution_failed";
    this.#breaker.failed(performance.now());
    this.#lastFailure = { category, why };
    return new ToolError(category, `the provider ${this.name} cannot be started: ${why}`, { cause: error });
  }

  /** A failure as a ToolError without secrets; a crash with what the plugin last said. */
  async #explained(thrown: unknown, process: PluginProcess, signal: AbortSignal): Promise<ToolError> {
    const error = asToolError(thrown, signal);
    if (error.category !== "process_crashed") return redactError(error, this.#redact);
    // These lines were redacted as they came.
    const words = lastWords(await process.lastLines());
    return new ToolError("process_crashed", `${error.message}${words}`, { cause: error });
  }
}
