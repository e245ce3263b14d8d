// A call that ended with a status other than OK, as thrown by handlers and by the client.
import type { Any } from "@bufbuild/protobuf/wkt";
import { type Code, codeName } from "./code.ts";

export interface GrpcErrorOptions {
  /** Messages packed with `anyPack`; they travel in `grpc-status-details-bin`. */
  readonly details?: readonly Any[];
  /** The underlying failure; never sent. */
  readonly cause?: unknown;
}

/** A gRPC status other than OK. `message` is the status message alone, without the code. */
export class GrpcError extends Error {
  readonly code: Code;
  readonly details: readonly Any[];

  constructor(code: Code, message: string, options: GrpcErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = `GrpcError ${codeName(code)}`;
    this.code = code;
    this.details = options.details ?? [];
  }
}
