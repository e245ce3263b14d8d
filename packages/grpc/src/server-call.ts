// One call on the server's side: reads the request, runs the handler, writes messages and the status. Holds
// the rules of a stream's end: a status exactly once, nothing after it, clean-up on every path.
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import {
  create,
  type DescMessage,
  fromBinary,
  isMessage,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code } from "./code.ts";
import { FrameReader, RECURSION_LIMIT } from "./frame.ts";
import { GrpcError } from "./grpc-error.ts";
import { ResponseWriter } from "./response-writer.ts";
import type { HandlerContext, Route } from "./service.ts";
import { parseTimeout } from "./timeout.ts";
import { errorTrailers, okTrailers } from "./trailers.ts";

/** setTimeout fires at once for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Answers one request. Resolves when the call is over; never rejects. */
export async function serveCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  route: Route,
  limits: { readonly maxMessageBytes: number; readonly stopping: AbortSignal },
): Promise<void> {
  using lifetime = new CallLifetime(stream, headers, limits.stopping);
  const { context } = lifetime;
  try {
    const requests = readRequests(stream, route.method.input, limits.maxMessageBytes);
    const output = await runHandler(route, requests, context);
    if (route.method.methodKind !== "bidi_streaming") {
      // One message was asked for. What a peer sends beyond it is dropped, so that the stream can close.
      await requests.return(undefined);
      stream.resume();
    }
    if (context.signal.aborted) throw context.signal.reason;
    await writeResponses(stream, route.method.output, output, context.signal);
    endCall(stream);
  } catch (error) {
    failCall(stream, toGrpcError(context.signal.aborted ? context.signal.reason : error));
  }
}

/** The signal of one call: peer reset, deadline and server stop, whichever comes first. */
class CallLifetime implements Disposable {
  readonly context: HandlerContext;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stopping: AbortSignal;
  readonly #onStop = (): void => this.#abort(Code.UNAVAILABLE, "the server is stopping");

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, stopping: AbortSignal) {
    const timeoutMs = parseTimeout(headerText(headers["grpc-timeout"]));
    // `close` and not `aborted`: the latter is silent once the peer has sent END_STREAM on some Node versions.
    stream.once("close", () => this.#abort(Code.CANCELLED, "the caller cancelled the call"));
    this.#stopping = stopping;
    stopping.addEventListener("abort", this.#onStop);
    if (stopping.aborted) this.#onStop();
    if (timeoutMs !== undefined) {
      this.#timer = setTimeout(
        () => this.#abort(Code.DEADLINE_EXCEEDED, `the deadline of ${Math.round(timeoutMs)} ms has passed`),
        Math.min(timeoutMs, MAX_TIMER_MS),
      );
    }
    this.context = {
      signal: this.#controller.signal,
      deadline: timeoutMs === undefined ? undefined : performance.now() + timeoutMs,
      metadata: headers,
    };
  }

  #abort(code: Code, message: string): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(new GrpcError(code, message));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopping.removeEventListener("abort", this.#onStop);
  }
}

async function* readRequests<D extends DescMessage>(
  stream: ServerHttp2Stream,
  input: D,
  maxBytes: number,
): AsyncGenerator<MessageShape<D>> {
  const reader = new FrameReader(maxBytes);
  // Not `of stream`: leaving that loop destroys the stream, and with it the answer.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    for (const message of reader.push(chunk)) yield decode(input, message);
  }
  reader.end();
}

async function runHandler(
  { method, handler }: Route,
  requests: AsyncGenerator<unknown>,
  context: HandlerContext,
): Promise<unknown> {
  // `routes` paired this handler with this method, so its argument is what the method's input decodes to.
  const call = handler as (request: unknown, context: HandlerContext) => unknown;
  if (method.methodKind === "bidi_streaming") return call(requests, context);
  const first = await requests.next();
  if (first.done === true) throw new GrpcError(Code.INTERNAL, "the request ended without a message");
  const output = call(first.value, context);
  if (method.methodKind === "server_streaming") return output;
  return single(await output);
}

async function* single<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/**
 * Writes what the handler yields, one `next()` at a time: a slow reader holds the handler back. When the call is
 * aborted the handler is the one to end it: it sees the same signal, and its clean-up is awaited.
 */
async function writeResponses(
  stream: ServerHttp2Stream,
  output: DescMessage,
  messages: unknown,
  signal: AbortSignal,
): Promise<void> {
  const writer = new ResponseWriter(stream, signal);
  // A handler of any kind ends here as an async iterable (runHandler), typed by `Handlers`.
  for await (const message of messages as AsyncIterable<unknown>) {
    if (signal.aborted) throw signal.reason;
    respond(stream);
    if (!writer.write(encode(output, message))) await writer.room();
  }
  if (signal.aborted) throw signal.reason;
}

function respond(stream: ServerHttp2Stream): void {
  if (stream.headersSent || stream.destroyed) return;
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
}

function endCall(stream: ServerHttp2Stream): void {
  if (stream.destroyed) return;
  respond(stream);
  stream.once("wantTrailers", () => stream.sendTrailers(okTrailers));
  stream.end();
}

/** Ends a call with a status: trailers-only where nothing was sent yet. */
export function failCall(stream: ServerHttp2Stream, error: GrpcError): void {
  if (stream.destroyed || stream.closed) return;
  const trailers = errorTrailers(error);
  if (!stream.headersSent) {
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...trailers }, { endStream: true });
    // What the peer still sends is read and dropped, so that the stream can close.
    stream.resume();
    return;
  }
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  stream.end();
}

function toGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  return new GrpcError(Code.INTERNAL, error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

function decode<D extends DescMessage>(schema: D, bytes: Buffer): MessageShape<D> {
  try {
    return fromBinary(schema, bytes, { recursionLimit: RECURSION_LIMIT });
  } catch (cause) {
    throw new GrpcError(Code.INVALID_ARGUMENT, `the request is not a valid ${schema.typeName}`, { cause });
  }
}

function encode(schema: DescMessage, value: unknown): Uint8Array {
  // Handlers give messages or their init shapes, as `Handlers` says.
  const message = isMessage(value, schema) ? value : create(schema, value as MessageInitShape<DescMessage>);
  return toBinary(schema, message);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
