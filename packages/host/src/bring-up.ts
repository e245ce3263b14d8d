// From an executable to a connection: the private folder, the process, its handshake, the dial, and the streams that
// a host opens at once and keeps (semantics.md, 'Launch'; go-plugin-verified.md section 5).
import { type ClientCall, GrpcClient } from "@pluggableharness/grpc";
import { GRPCBroker, GRPCStdio } from "@pluggableharness/protocol/wire";
import { type CallbackHandlers, type CallbackServer, serveCallbacks } from "./callback-server.ts";
import { parseHandshakeLine } from "./handshake-line.ts";
import { LastLines, lastWords } from "./last-lines.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { type Redact, redactRecord } from "./redact.ts";
import { type SpawnedPlugin, type SpawnOptions, spawnPlugin } from "./spawn-plugin.ts";
import type { LogRecord } from "./stderr-record.ts";

export interface LaunchOptions extends SpawnOptions {
  /** What the plugin may call; without a handler a method answers UNIMPLEMENTED. */
  readonly callbacks?: CallbackHandlers;
  /** How long the connection may take; 20 s by default, as grpc-go's. */
  readonly connectTimeoutMs?: number;
  /** How long Describe, GetSchema and the question whether there is a Preview may take; 10 s by default. */
  readonly answerTimeoutMs?: number;
  /** Takes secrets out of what the plugin writes to stderr, before anybody sees it. */
  readonly redact?: Redact;
}

/** A plugin that is connected. */
export interface LaunchedPlugin {
  readonly spawned: SpawnedPlugin;
  readonly client: GrpcClient;
  /** What it last wrote to stderr. */
  readonly lastLines: LastLines;
  /** Ends the connection. */
  disconnect(): void;
  /** Frees what is left. Only when the process is gone. */
  free(): void;
}

/** The broker id on which a plugin expects its host's callbacks. */
const CALLBACK_ID = 1;

/** Starts the executable and connects to it. Throws, with nothing left behind, where that fails. */
export async function bringUp(path: string, options: LaunchOptions): Promise<LaunchedPlugin> {
  let spawned: SpawnedPlugin | undefined;
  let callbacks: CallbackServer | undefined;
  let client: GrpcClient | undefined;
  const lastLines = new LastLines();
  const onLog = (record: LogRecord): void => {
    const shown = options.redact === undefined ? record : redactRecord(record, options.redact);
    lastLines.push(shown);
    options.onLog?.(shown);
  };
  const folder = makePrivateFolder();
  const giveUp = (): void => spawned?.kill();
  const free = (): void => {
    callbacks?.[Symbol.dispose]();
    folder[Symbol.dispose]();
  };
  try {
    callbacks = await serveCallbacks(options.callbacks ?? {}, folder.path);
    spawned = await spawnPlugin(path, folder.path, { ...options, onLog });
    options.signal?.addEventListener("abort", giveUp);
    const { connectTimeoutMs } = options;
    client = new GrpcClient({
      address: parseHandshakeLine(spawned.line),
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    });
    const broker = await openStreams(client, callbacks);
    options.signal?.throwIfAborted();
    return {
      spawned,
      client,
      lastLines,
      disconnect: () => {
        broker.cancel();
        client?.close();
      },
      free,
    };
  } catch (error) {
    client?.close();
    spawned?.kill();
    await spawned?.drained;
    free();
    throw options.signal?.aborted === true ? options.signal.reason : launchFailure(path, error, lastLines);
  } finally {
    options.signal?.removeEventListener("abort", giveUp);
  }
}

/** The broker's stream, on which the callbacks are announced, and that of the plugin's output. */
async function openStreams(
  client: GrpcClient,
  { network, address }: CallbackServer,
): Promise<ClientCall<typeof GRPCBroker.method.startStream>> {
  const broker = await client.open(GRPCBroker.method.startStream);
  broker.send({ serviceId: CALLBACK_ID, network, address });
  dropAll(broker.responses());
  dropAll(client.serverStream(GRPCStdio.method.streamStdio, {}));
  return broker;
}

/** Reads a stream that stays open for the connection's life; its end is the connection's, and noticed elsewhere. */
function dropAll(stream: AsyncGenerator<unknown, void>): void {
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {});
}

function launchFailure(path: string, error: unknown, { lines }: LastLines): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`cannot launch ${path}: ${why}${lastWords(lines)}`, { cause: error });
}
