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
    options.signal?.throwIfAborted();
    const session = await this.#connected();
    return new ClientCall(session, method, options, this.#options.maxMessageBytes ?? 512 * 1024 * 1024);
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
