// The public list of @pluggableharness/grpc.
export { type Address, type ClientOptions, GrpcClient } from "./client.ts";
export { type CallOptions, ClientCall } from "./client-call.ts";
export { Code, codeName } from "./code.ts";
export { RECURSION_LIMIT } from "./frame.ts";
export { GrpcError, type GrpcErrorOptions } from "./grpc-error.ts";
export { GrpcServer, type ServerOptions } from "./server.ts";
export { type HandlerContext, type Handlers, type Route, routes } from "./service.ts";
