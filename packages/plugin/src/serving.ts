// What stands behind the first connection: the gRPC server with every service, the broker and the kernel. Loaded
// after the handshake line is out (serve.ts).
import type { Socket } from "node:net";
import { GrpcClient, GrpcServer, routes } from "@pluggableharness/grpc";
import { HookSubscriberService, KernelCallbackService, ToolService } from "@pluggableharness/protocol/wire";
import type { TlsPair } from "./auto-mtls.ts";
import { Broker, CALLBACK_ID } from "./broker.ts";
import type { Plugin, Tool } from "./define-plugin.ts";
import type { EndOfLife } from "./end-of-life.ts";
import { goPluginRoutes } from "./go-plugin-services.ts";
import { hookService } from "./hook-service.ts";
import { createKernel } from "./kernel.ts";
import { KernelLog } from "./kernel-log.ts";
import type { Logger, LogSink } from "./logger.ts";
import { PluginRuntime } from "./plugin-runtime.ts";
import { toolService } from "./tool-service.ts";

/** How long a callback waits for the host to say where it listens. */
const ANNOUNCE_TIMEOUT_MS = 5_000;
/** Ends of calls, of the state, of the log and of the connections; together below the second that a host's Kill should take. */
const CALLS_GRACE_MS = 500;
const LOG_GRACE_MS = 100;
const DRAIN_MS = 100;

export interface Serving {
  /** Serves a connection of the host. */
  accept(socket: Socket): void;
  readonly logSink: LogSink;
  /** Aborts calls, closes the state and flushes the log. */
  stop(): Promise<void>;
}

export interface ServingOptions<State> {
  readonly plugin: Plugin<State>;
  readonly tools: readonly Tool<State>[];
  readonly log: Logger;
  readonly tls: TlsPair | undefined;
  readonly life: EndOfLife;
}

/** Builds the server of a plugin. */
export function createServing<State>({ plugin, tools, log, tls, life }: ServingOptions<State>): Serving {
  const broker = new Broker();
  const callbacks = new CallbackConnection(broker, tls);
  const kernel = createKernel(
    () => callbacks.client(),
    () => KernelCallbackService.method,
  );
  const kernelLog = new KernelLog(kernel);
  const runtime = new PluginRuntime(plugin, tools, kernel, log);
  const hooks = hookService(runtime);
  const server = new GrpcServer({
    routes: new Map([
      ...routes(ToolService, toolService(runtime)),
      ...(hooks === undefined ? [] : routes(HookSubscriberService, hooks)),
      ...goPluginRoutes(broker, {
        brokerEnded: () => life.hostGone(),
        shutdownRequested: () => life.end("the host asked for it"),
      }),
    ]),
    ...(tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key, ca: tls.ca } }),
  });
  return {
    accept: (socket) => server.accept(socket),
    logSink: kernelLog.sink,
    stop: async () => {
      await Promise.all([server.abortCalls(CALLS_GRACE_MS), runtime.close()]);
      await kernelLog.flush(LOG_GRACE_MS);
      callbacks.close();
      await server.drain(DRAIN_MS);
    },
  };
}

/** One client for the kernel's callbacks, made when first needed. */
class CallbackConnection {
  readonly #broker: Broker;
  readonly #tls: TlsPair | undefined;
  #client: GrpcClient | undefined;

  constructor(broker: Broker, tls: TlsPair | undefined) {
    this.#broker = broker;
    this.#tls = tls;
  }

  async client(): Promise<GrpcClient> {
    if (this.#client !== undefined) return this.#client;
    const address = await this.#broker.address(CALLBACK_ID, ANNOUNCE_TIMEOUT_MS);
    const tls = this.#tls;
    this.#client ??= new GrpcClient({
      address,
      ...(tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key, ca: tls.ca } }),
    });
    return this.#client;
  }

  close(): void {
    this.#client?.close();
  }
}
