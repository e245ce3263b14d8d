// One gRPC call with its headers and trailers in sight, for the rules that a proper client hides: what is sent,
// how it is encoded, when it ends. The caller's deadline is only announced, never kept.
import * as http2 from "node:http2";
import * as net from "node:net";
import * as tls from "node:tls";
import { type DescMessage, type DescMethod, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { Address } from "@pluggableharness/grpc";

/** Everything a server sent. */
export interface RawResponse {
  readonly headers: http2.IncomingHttpHeaders;
  /** Of a response without a body the headers are the trailers. */
  readonly trailers: http2.IncomingHttpHeaders;
  readonly messages: readonly Buffer[];
  readonly resetCode: number;
  /** False where the time was over first. */
  readonly ended: boolean;
}

export interface RawCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly waitMs: number;
}

/** Keys and certificates of a TLS client. */
export interface ClientPair {
  readonly cert: string;
  readonly key: string;
  /** The only certificate that is trusted, PEM. */
  readonly ca: string;
}

/** An HTTP/2 session of its own. Disposing destroys it. */
export class RawSession implements Disposable {
  readonly session: http2.ClientHttp2Session;
  /** Resolves with undefined when the server's settings came, or with what went wrong. */
  readonly ready: Promise<Error | undefined>;

  constructor(address: Address, pair?: ClientPair | "no certificate") {
    const socket = connect(address, pair);
    this.session = http2.connect(pair === undefined ? "http://unused" : "https://localhost", {
      createConnection: () => socket,
      maxSessionMemory: 1024,
    });
    this.session.on("error", () => {});
    this.ready = new Promise((resolve) => {
      this.session.once("remoteSettings", () => resolve(undefined));
      this.session.once("error", resolve);
      // A server that refuses a certificate ends the socket; the session may learn of it late.
      for (const end of [this.session, socket])
        end.once("close", () => resolve(new Error("the connection was closed")));
      socket.once("error", resolve);
    });
  }

  /** Calls a method with one message. */
  async call(path: string, message: Uint8Array, { headers, waitMs }: RawCallOptions): Promise<RawResponse> {
    const stream = this.session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    return await collect(stream, frame(message), waitMs);
  }

  [Symbol.dispose](): void {
    this.session.destroy();
  }
}

/** The path of a method. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** A message of a response. */
export function decoded<M extends DescMessage>(schema: M, message: Buffer): MessageShape<M> {
  return fromBinary(schema, message, { recursionLimit: 1_000 });
}

function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

async function collect(
  stream: http2.ClientHttp2Stream,
  request: Buffer,
  waitMs: number,
): Promise<RawResponse> {
  let headers: http2.IncomingHttpHeaders = {};
  let trailers: http2.IncomingHttpHeaders | undefined;
  const chunks: Buffer[] = [];
  stream.on("response", (received) => {
    headers = received;
  });
  stream.on("trailers", (received) => {
    trailers = received;
  });
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("error", () => {});
  const closed = new Promise<boolean>((resolve) => stream.once("close", () => resolve(true)));
  const timer = setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), waitMs);
  const started = performance.now();
  stream.end(request);
  await closed;
  clearTimeout(timer);
  // Node tells of headers a tick after they came.
  await new Promise((resolve) => setImmediate(resolve));
  const ended = performance.now() - started < waitMs;
  return {
    headers,
    trailers: trailers ?? headers,
    messages: messagesIn(Buffer.concat(chunks)),
    resetCode: stream.rstCode,
    ended,
  };
}

function messagesIn(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    messages.push(bytes.subarray(at + 5, end));
    at = end;
  }
  return messages;
}

function connect(address: Address, pair: ClientPair | "no certificate" | undefined): net.Socket {
  const target =
    address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port };
  if (pair === undefined) return net.connect(target);
  const own = pair === "no certificate" ? { rejectUnauthorized: false } : pair;
  return tls.connect({ ...target, ...own, servername: "localhost", ALPNProtocols: ["h2"] });
}
