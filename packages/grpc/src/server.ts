// A gRPC server over HTTP/2 that takes sockets from its owner: it does not listen by itself, so a plugin can
// listen and print its handshake before this module is loaded.
import * as http2 from "node:http2";
import type { Duplex } from "node:stream";
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";
import { failCall, serveCall } from "./server-call.ts";
import type { Route } from "./service.ts";

export interface ServerOptions {
  /** Routes by path, as `routes` makes them. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Largest message accepted, in bytes; 512 MiB by default: V8 has no longer string. */
  readonly maxMessageBytes?: number;
  /** Serve TLS with exactly these certificates; in clear when absent. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

/** Unread request bytes a call may hold before its peer must wait. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;

// The peer is the one host that started this process: its bursts of resets and large sessions are its own
// business, and Node's limits against strangers would end the only connection there is.
const sessionOptions: http2.ServerOptions = {
  // With many thousands of calls at once two Node peers wait for each other for ever: each writes and does not read.
  settings: { initialWindowSize: STREAM_WINDOW_BYTES, maxConcurrentStreams: 1_000 },
  maxSessionMemory: 4096,
  streamResetBurst: 1_000_000,
  streamResetRate: 1_000_000,
};

/** A running server: hand it connections, stop it once. */
export class GrpcServer {
  readonly #server: http2.Http2Server;
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  readonly #calls = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor({ routes, maxMessageBytes = 512 * 1024 * 1024, tls }: ServerOptions) {
    this.#server =
      tls === undefined
        ? http2.createServer(sessionOptions)
        : http2.createSecureServer({
            ...sessionOptions,
            ...tls,
            requestCert: true,
            rejectUnauthorized: true,
            minVersion: "TLSv1.2",
          });
    this.#server.on("session", (session) => this.#keep(session));
    // A peer that speaks garbage or fails TLS ends its own connection; Node's default is to throw.
    this.#server.on("sessionError", () => {});
    this.#server.on("clientError", (_error: Error, socket: Duplex) => socket.destroy());
    this.#server.on("tlsClientError", (_error: Error, socket: Duplex) => socket.destroy());
    this.#server.on("stream", (stream, headers) => {
      // grpc-go's GOAWAY makes nghttp2 raise an error on every open stream (go-plugin-verified.md section 8);
      // without a listener the process would die of it. The call itself learns of it by `close`.
      stream.on("error", () => {});
      this.#track(this.#answer(stream, headers, routes, maxMessageBytes));
    });
  }

  /** Serves HTTP/2 (and TLS, where configured) on a connected socket. */
  accept(socket: Duplex): void {
    this.#server.emit("connection", socket);
  }

  /** Aborts every running call with UNAVAILABLE and resolves when their handlers are done or `graceMs` is over. */
  async abortCalls(graceMs: number): Promise<void> {
    this.#stopping.abort();
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.allSettled(this.#calls), grace]);
    clearTimeout(timer);
  }

  /** Lets what was answered reach its peers, for at most `graceMs`, and then ends every connection. */
  async drain(graceMs: number): Promise<void> {
    const closed = [...this.#sessions].map(
      (session) =>
        new Promise<void>((resolve) => {
          session.once("close", resolve);
          session.close();
        }),
    );
    let timer: NodeJS.Timeout | undefined;
    // A peer that says nothing never closes its end, so the grace is not only for slow ones.
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(closed), grace]);
    clearTimeout(timer);
    this.close();
  }

  /** Ends every connection at once. */
  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #keep(session: http2.ServerHttp2Session): void {
    this.#sessions.add(session);
    session.on("error", () => {});
    session.once("close", () => this.#sessions.delete(session));
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  }

  #track(call: Promise<void>): void {
    this.#calls.add(call);
    call.finally(() => this.#calls.delete(call)).catch(() => {});
  }

  async #answer(
    stream: http2.ServerHttp2Stream,
    headers: http2.IncomingHttpHeaders,
    routes: ReadonlyMap<string, Route>,
    maxMessageBytes: number,
  ): Promise<void> {
    const contentType = String(headers["content-type"] ?? "");
    if (headers[":method"] !== "POST" || !/^application\/grpc(\+proto)?(;.*)?$/.test(contentType)) {
      stream.respond({ ":status": headers[":method"] === "POST" ? 415 : 405 }, { endStream: true });
      stream.resume();
      return;
    }
    const path = String(headers[":path"]);
    const route = routes.get(path);
    if (route === undefined) {
      failCall(stream, new GrpcError(Code.UNIMPLEMENTED, `unknown method ${path}`));
      return;
    }
    await serveCall(stream, headers, route, { maxMessageBytes, stopping: this.#stopping.signal });
  }
}
