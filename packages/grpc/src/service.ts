// What a service's handlers look like: one function per method, shaped by the method's kind.
import type { IncomingHttpHeaders } from "node:http2";
import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** What a handler knows of its call. */
export interface HandlerContext {
  /**
   * Aborts when the peer resets the call, its connection ends, its deadline passes or the server stops.
   * The reason is a GrpcError with CANCELLED, DEADLINE_EXCEEDED or UNAVAILABLE. A handler must end soon after.
   */
  readonly signal: AbortSignal;
  /** When the peer stops waiting, on the clock of `performance.now()`; undefined without grpc-timeout. */
  readonly deadline: number | undefined;
  /** The request's headers. */
  readonly metadata: IncomingHttpHeaders;
}

type Handler<M extends DescMethod> = M["methodKind"] extends "unary"
  ? (
      request: MessageShape<M["input"]>,
      context: HandlerContext,
    ) => Promise<MessageInitShape<M["output"]>> | MessageInitShape<M["output"]>
  : M["methodKind"] extends "server_streaming"
    ? (
        request: MessageShape<M["input"]>,
        context: HandlerContext,
      ) => AsyncIterable<MessageInitShape<M["output"]>>
    : M["methodKind"] extends "bidi_streaming"
      ? (
          requests: AsyncIterable<MessageShape<M["input"]>>,
          context: HandlerContext,
        ) => AsyncIterable<MessageInitShape<M["output"]>>
      : never;

/** The handlers of a service, by method name in camelCase. A method without one answers UNIMPLEMENTED. */
export type Handlers<S extends DescService> = { [K in keyof S["method"]]?: Handler<S["method"][K]> };

/** A method with its handler, as the server keeps it. */
export interface Route {
  readonly method: DescMethod;
  // The pairing of method and handler types is proved in `route`; here every handler takes what the method's
  // input decodes to.
  readonly handler: (request: never, context: HandlerContext) => unknown;
}

/** The routes of one service, to be given to the server. */
export function routes<S extends DescService>(service: S, handlers: Handlers<S>): Map<string, Route> {
  const table = new Map<string, Route>();
  for (const method of service.methods) {
    const handler = handlers[method.localName as keyof S["method"]]; // localName is a key of `method` by generation
    if (handler !== undefined) table.set(`/${service.typeName}/${method.name}`, { method, handler });
  }
  return table;
}
