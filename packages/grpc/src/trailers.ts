// A status as HTTP/2 trailers and back: grpc-status, grpc-message (percent-encoded UTF-8) and
// grpc-status-details-bin (google.rpc.Status, whose code and message must equal the other two:
// go-plugin-verified.md section 9).
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { RpcStatusSchema } from "@pluggableharness/protocol/wire";
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";

/** Longest status message sent; a peer may refuse larger headers. Cut messages end with an ellipsis. */
export const MAX_MESSAGE_CHARS = 4_000;
/** Larger details are left out rather than losing the whole status to a header limit. */
const MAX_DETAILS_BYTES = 8_000;

/** The trailers of a call that succeeded. */
export const okTrailers: OutgoingHttpHeaders = { "grpc-status": "0" };

/** The trailers of a call that failed. */
export function errorTrailers(error: GrpcError): OutgoingHttpHeaders {
  const message = bounded(error.message.toWellFormed());
  const trailers: OutgoingHttpHeaders = {
    "grpc-status": String(error.code),
    "grpc-message": encodeMessage(message),
  };
  if (error.details.length > 0) {
    const status = create(RpcStatusSchema, { code: error.code, message, details: [...error.details] });
    const bytes = toBinary(RpcStatusSchema, status);
    if (bytes.length <= MAX_DETAILS_BYTES) {
      trailers["grpc-status-details-bin"] = Buffer.from(bytes).toString("base64");
    }
  }
  return trailers;
}

/** The error in a response's trailers, or undefined for OK. `headers` must hold a grpc-status. */
export function errorFromTrailers(headers: IncomingHttpHeaders): GrpcError | undefined {
  const number = Number(headers["grpc-status"]);
  if (number === Code.OK) return undefined;
  const code = Object.values(Code).find((known) => known === number) ?? Code.UNKNOWN;
  const details = detailsFrom(headers["grpc-status-details-bin"]);
  // Details that say another code are not this status's.
  const status = details?.code === code ? details : undefined;
  const message = status?.message ?? decodeMessage(String(headers["grpc-message"] ?? ""));
  return new GrpcError(code, message, { details: status?.details ?? [] });
}

function detailsFrom(header: string | string[] | undefined) {
  if (typeof header !== "string") return undefined;
  try {
    return fromBinary(RpcStatusSchema, Buffer.from(header, "base64"));
  } catch {
    // Broken details must not hide the status they came with.
    return undefined;
  }
}

function bounded(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARS) return message;
  return `${message.slice(0, MAX_MESSAGE_CHARS).toWellFormed()}…`;
}

/** Percent-encodes as gRPC asks: printable ASCII but `%` stays, every other byte of the UTF-8 is `%XX`. */
export function encodeMessage(message: string): string {
  let encoded = "";
  for (const byte of Buffer.from(message)) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

/** The inverse of encodeMessage; malformed escapes are kept as they are. */
export function decodeMessage(encoded: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length; at++) {
    const hex = /^%([0-9a-fA-F]{2})/.exec(encoded.slice(at, at + 3))?.[1];
    if (hex === undefined) {
      bytes.push(...Buffer.from(encoded.charAt(at)));
    } else {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    }
  }
  return Buffer.from(bytes).toString("utf8");
}
