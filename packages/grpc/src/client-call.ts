// One call on the client's side: sends messages, yields responses as they are pulled, ends with the status.
import * as http2 from "node:http2";
import {
  create,
  type DescMethod,
  type DescMethodBiDiStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code } from "./code.ts";
import { FrameReader, frameHeader, RECURSION_LIMIT } from "./frame.ts";
import { GrpcError } from "./grpc-error.ts";
import { formatTimeout } from "./timeout.ts";
import { errorFromTrailers } from "./trailers.ts";

export interface CallOptions {
  /** Resets the call with CANCELLED when aborted. */
  readonly signal?: AbortSignal;
  /** Deadline from now, in milliseconds; sent as grpc-timeout and kept locally. */
  readonly timeoutMs?: number;
  /** Additional request headers, lower case. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Largest response message accepted, in bytes; the client's own limit by default. */
  readonly maxMessageBytes?: number;
}

type ClientMethod = DescMethodUnary | DescMethodServerStreaming | DescMethodBiDiStreaming;

const MAX_INFORMATIONAL = 100;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A running call. `responses` must be read to its end or left early, either of which frees the call. */
export class ClientCall<M extends ClientMethod> {
  readonly #session: http2.ClientHttp2Session;
  readonly #stream: http2.ClientHttp2Stream;
  readonly #method: M;
  readonly #maxBytes: number;
  readonly #release: () => void;
  /** Why this side ended the call: what the server says after that no longer counts. */
  #ended: GrpcError | undefined;
  #streamError: Error | undefined;
  #headers: http2.IncomingHttpHeaders = {};
  #trailers: http2.IncomingHttpHeaders | undefined;

  constructor(session: http2.ClientHttp2Session, method: M, options: CallOptions, maxBytes: number) {
    this.#session = session;
    this.#method = method;
    this.#maxBytes = options.maxMessageBytes ?? maxBytes;
    this.#stream = request(session, method, options);
    const onAbort = (): void => this.#reset(Code.CANCELLED, "the call was cancelled");
    options.signal?.addEventListener("abort", onAbort);
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.#reset(Code.DEADLINE_EXCEEDED, `no result within ${options.timeoutMs} ms`),
            Math.min(options.timeoutMs, MAX_TIMER_MS),
          );
    this.#release = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    };
    let informational = 0;
    this.#stream.on("headers", () => {
      // 1xx responses say nothing, and Node keeps every one of them.
      informational++;
      if (informational === MAX_INFORMATIONAL) session.destroy();
    });
    this.#stream.once("response", (headers) => {
      this.#headers = headers;
    });
    this.#stream.once("trailers", (trailers) => {
      this.#trailers = trailers;
    });
    this.#stream.on("error", (error) => {
      this.#streamError ??= error;
    });
    this.#stream.once("close", this.#release);
    // It may have fired while the connection was dialled.
    if (options.signal?.aborted === true) onAbort();
  }

  /** Sends one message; `last` half-closes the call. */
  send(message: MessageInitShape<M["input"]>, { last = false } = {}): void {
    const bytes = toBinary(this.#method.input, create(this.#method.input, message));
    this.#stream.write(Buffer.concat([frameHeader(bytes.length), bytes]));
    if (last) this.end();
  }

  /** Half-closes the call: no further message follows. */
  end(): void {
    this.#stream.end();
  }

  /** Resets the call, as a host does that no longer wants the answer. */
  cancel(): void {
    this.#reset(Code.CANCELLED, "the call was cancelled");
  }

  /** The responses, one per pull. Throws a GrpcError for every status but OK. */
  async *responses(): AsyncGenerator<MessageShape<M["output"]>, void> {
    const reader = new FrameReader(this.#maxBytes, Code.INTERNAL);
    try {
      for await (const chunk of this.#stream) {
        for (const message of reader.push(chunk)) yield this.#decode(message);
      }
      if (!this.#stream.closed) await new Promise((resolve) => this.#stream.once("close", resolve));
    } catch (error) {
      if (error instanceof GrpcError) throw error;
      this.#streamError ??= error instanceof Error ? error : new Error(String(error));
    } finally {
      // Reached early where the reader stopped: the server must learn of it.
      if (!this.#stream.closed) this.#stream.close(http2.constants.NGHTTP2_CANCEL);
      this.#release();
    }
    // Node delivers headers a tick after they came, which can be after the end of a stream that was reset as well.
    if (this.#statusHeaders() === undefined) await new Promise((resolve) => setImmediate(resolve));
    const failure = this.#failure();
    if (failure !== undefined) throw failure;
    reader.end();
  }

  #decode(message: Buffer): MessageShape<M["output"]> {
    try {
      // M is the descriptor's own type, so what its output decodes to has the output's shape.
      return fromBinary(this.#method.output, message, { recursionLimit: RECURSION_LIMIT }) as MessageShape<
        M["output"]
      >;
    } catch (cause) {
      throw new GrpcError(Code.INTERNAL, `a response of ${this.#method.name} does not decode`, { cause });
    }
  }

  /** The headers that hold the status, once they are there. */
  #statusHeaders(): http2.IncomingHttpHeaders | undefined {
    return [this.#trailers, this.#headers].find((headers) => headers?.["grpc-status"] !== undefined);
  }

  /** How the call ended, most telling first: our own reset, the server's status, then what the transport saw. */
  #failure(): GrpcError | undefined {
    if (this.#ended !== undefined) return this.#ended;
    const status = this.#statusHeaders();
    if (status !== undefined) return errorFromTrailers(status);
    const { rstCode } = this.#stream;
    const httpStatus = this.#headers[":status"];
    if (this.#streamError !== undefined || rstCode !== 0 || httpStatus === undefined) {
      // A lost connection resets its streams with CANCEL too, on Node's side.
      const code = this.#session.destroyed ? Code.UNAVAILABLE : codeOfReset(rstCode);
      return new GrpcError(code, `the call to ${this.#method.name} was cut off`, {
        cause: this.#streamError,
      });
    }
    return new GrpcError(
      codeOfHttpStatus(Number(httpStatus)),
      `the response ended without a grpc-status (HTTP status ${httpStatus})`,
    );
  }

  #reset(code: Code, message: string): void {
    if (this.#stream.closed) return;
    this.#ended ??= new GrpcError(code, message);
    this.#stream.close(http2.constants.NGHTTP2_CANCEL);
  }
}

function request(
  session: http2.ClientHttp2Session,
  method: DescMethod,
  { timeoutMs, metadata }: CallOptions,
): http2.ClientHttp2Stream {
  try {
    return session.request({
      ...metadata,
      ":method": "POST",
      ":path": `/${method.parent.typeName}/${method.name}`,
      "content-type": "application/grpc",
      te: "trailers",
      ...(timeoutMs === undefined ? {} : { "grpc-timeout": formatTimeout(timeoutMs) }),
    });
  } catch (cause) {
    // Thrown, not emitted, on a session that has just received GOAWAY.
    throw new GrpcError(Code.UNAVAILABLE, `the connection is closing; ${method.name} was not sent`, {
      cause,
    });
  }
}

function codeOfReset(rstCode: number): Code {
  if (rstCode === http2.constants.NGHTTP2_CANCEL) return Code.CANCELLED;
  if (rstCode === http2.constants.NGHTTP2_ENHANCE_YOUR_CALM) return Code.RESOURCE_EXHAUSTED;
  if (rstCode === http2.constants.NGHTTP2_INTERNAL_ERROR) return Code.INTERNAL;
  return Code.UNAVAILABLE;
}

function codeOfHttpStatus(status: number): Code {
  if (status === 404) return Code.UNIMPLEMENTED;
  if (status === 401) return Code.UNAUTHENTICATED;
  if (status === 403) return Code.PERMISSION_DENIED;
  if (status === 400) return Code.INTERNAL;
  return [429, 502, 503, 504].includes(status) ? Code.UNAVAILABLE : Code.UNKNOWN;
}
