// A gRPC client over HTTP/2 for one address: lazy, one connection, dialled again after it was lost.
import * as http2 from "node:http2";
import * as net from "node:net";
import * as tls from "node:tls";
import type {
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { type CallOptions, ClientCall } from "./client-call.ts";
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";

/** Where a server listens. */
export type Address =
  | { readonly network: "unix"; readonly path: string }
  | { readonly network: "tcp"; readonly host: string; readonly port: number };

export interface ClientOptions {
  readonly address: Address;
  /** Speak TLS with this pair and trust exactly `ca`; in clear when absent. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Largest message accepted, in bytes; 512 MiB by default. */
  readonly maxMessageBytes?: number;
  /** How long a dial may take; 20 s by default, as grpc-go's. */
  readonly connectTimeoutMs?: number;
}

const WINDOW_BYTES = 1024 * 1024;
/** setTimeout fires at once for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;

/** A client for one address. Calls may run at the same time; `close` ends them all. */
export class GrpcClient implements Disposable {
  readonly #options: ClientOptions;
  #session: Promise<http2.ClientHttp2Session> | undefined;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Where it dials. */
  get address(): Address {
    return this.#options.address;
  }

  /** Calls a unary method. Throws a GrpcError for every status but OK. */
  async unary<M extends DescMethodUnary>(
    method: M,
    request: MessageInitShape<M["input"]>,
    options: CallOptions = {},
  ): Promise<MessageShape<M["output"]>> {
    const call = await this.#start(method, options);
    call.send(request, { last: true });
    let response: MessageShape<M["output"]> | undefined;
    for await (const message of call.responses()) response ??= message;
    if (response === undefined)
      throw new GrpcError(Code.INTERNAL, `${method.name} answered OK without a message`);
    return response;
  }

  /**
   * Calls a server-streaming method. Reading is pulling: what is not read holds the server back. Ending the
   * loop early resets the call.
   */
  async *serverStream<M extends DescMethodServerStreaming>(
    method: M,
    request: MessageInitShape<M["input"]>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<M["output"]>, void> {
    const call = await this.#start(method, options);
    call.send(request, { last: true });
    yield* call.responses();
  }

  /** Opens a call of any kind for a caller that sends and reads by itself. */
  async open<M extends ClientMethod>(method: M, options: CallOptions = {}): Promise<ClientCall<M>> {
    return await this.#start(method, options);
  }

  /** Ends the connection and every call on it. Further calls fail with UNAVAILABLE. */
  close(): void {
    this.#closed = true;
    this.#session?.then(
      (session) => session.destroy(),
      () => {},
    );
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #start<M extends ClientMethod>(method: M, options: CallOptions): Promise<ClientCall<M>> {
    if (this.#closed) throw new GrpcError(Code.UNAVAILABLE, "the client is closed");
    if (options.signal?.aborted === true) throw cancelled();
    const started = performance.now();
    const session = await withinOptions(this.#connected(), options);
    const { timeoutMs } = options;
    // The dial was part of the time that the caller gave. Whole milliseconds: they are told to people.
    const left =
      timeoutMs === undefined
        ? {}
        : { timeoutMs: Math.max(1, Math.ceil(timeoutMs - (performance.now() - started))) };
    const limit = this.#options.maxMessageBytes ?? 512 * 1024 * 1024;
    return new ClientCall(session, method, { ...options, ...left }, limit);
  }

  /** The connection, dialled where there is none; calls that come meanwhile wait for the same dial. */
  async #connected(): Promise<http2.ClientHttp2Session> {
    this.#session ??= this.#dial();
    const session = await this.#session;
    if (!session.closed && !session.destroyed) return session;
    return await (this.#session ?? this.#dial());
  }

  #dial(): Promise<http2.ClientHttp2Session> {
    const dialled = dial(this.#options);
    const forget = (): void => {
      if (this.#session === dialled) this.#session = undefined;
    };
    dialled.then((session) => {
      session.once("close", forget);
      if (this.#closed) session.destroy();
    }, forget);
    this.#session = dialled;
    return dialled;
  }
}

/** The connection, but no longer than the call may take. The dial goes on: others may wait for it too. */
async function withinOptions<T>(connected: Promise<T>, { signal, timeoutMs }: CallOptions): Promise<T> {
  // Where nobody waits for it any more, its failure has no one to go to.
  connected.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(cancelled());
    signal?.addEventListener("abort", onAbort);
    if (timeoutMs === undefined) return;
    const late = new GrpcError(Code.DEADLINE_EXCEEDED, `no connection within ${timeoutMs} ms`);
    timer = setTimeout(() => reject(late), Math.min(timeoutMs, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([connected, givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function cancelled(): GrpcError {
  return new GrpcError(Code.CANCELLED, "the call was cancelled");
}

type ClientMethod = ConstructorParameters<typeof ClientCall>[1];

async function dial(options: ClientOptions): Promise<http2.ClientHttp2Session> {
  const { address, connectTimeoutMs = 20_000 } = options;
  const socket = connectSocket(options);
  return await new Promise((resolve, reject) => {
    const authority = options.tls === undefined ? "http://localhost" : "https://localhost";
    const session = http2.connect(authority, {
      createConnection: () => socket,
      settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
      maxSessionMemory: 4096,
    });
    const fail = (why: string, cause?: unknown): void => {
      clearTimeout(timer);
      session.destroy();
      reject(new GrpcError(Code.UNAVAILABLE, `cannot connect to ${describe(address)}: ${why}`, { cause }));
    };
    const timer = setTimeout(() => fail(`no answer within ${connectTimeoutMs} ms`), connectTimeoutMs);
    // Stays for the session's life: a lost connection must not become an uncaught exception. Calls report it.
    session.on("error", (error) => fail(error.message, error));
    session.once("close", () => fail("the connection was closed"));
    session.once("remoteSettings", () => {
      clearTimeout(timer);
      session.setLocalWindowSize(SESSION_WINDOW_BYTES);
      resolve(session);
    });
  });
}

function connectSocket({ address, tls: pair }: ClientOptions): net.Socket {
  const target =
    address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port };
  if (pair === undefined) return net.connect(target);
  return tls.connect({
    ...target,
    ...pair,
    servername: "localhost",
    ALPNProtocols: ["h2"],
    minVersion: "TLSv1.2",
  });
}

function describe(address: Address): string {
  return address.network === "unix" ? address.path : `${address.host}:${address.port}`;
}
