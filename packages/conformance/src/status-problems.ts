// What is wrong with the status of a failed Configure, GetSchema, Render or Preview (semantics.md, 'Calls'): the
// category stands in it three times, and all three must say the same.

import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { codeName, type GrpcError } from "@pluggableharness/grpc";
import {
  categoryFromWire,
  ERROR_DOMAIN,
  type ErrorCategory,
  errorCategories,
} from "@pluggableharness/protocol";
import { ErrorInfoSchema, RpcStatusSchema, ToolErrorSchema } from "@pluggableharness/protocol/wire";
import type { RawResponse } from "./raw-call.ts";

/** The category that the ErrorInfo names; undefined where there is no such detail. */
export function reasonOf({ details }: GrpcError): string | undefined {
  for (const detail of details) {
    const info = anyUnpack(detail, ErrorInfoSchema);
    if (info !== undefined) return info.reason;
  }
  return undefined;
}

/** What is wrong with the ErrorInfo. */
export function errorInfoProblems({ details }: GrpcError): string[] {
  const info = details.map((detail) => anyUnpack(detail, ErrorInfoSchema)).find((one) => one !== undefined);
  if (info === undefined) return ["the status has no google.rpc.ErrorInfo"];
  return [
    ...(info.domain === ERROR_DOMAIN ? [] : [`its domain is ${JSON.stringify(info.domain)}`]),
    ...(isCategory(info.reason)
      ? []
      : [`its reason ${JSON.stringify(info.reason)} is no category in lower case`]),
  ];
}

/** What is wrong with the attached ToolError. */
export function toolErrorProblems(status: GrpcError): string[] {
  const error = status.details
    .map((detail) => anyUnpack(detail, ToolErrorSchema))
    .find((one) => one !== undefined);
  if (error === undefined) return ["the status has no ToolError among its details"];
  const category = categoryFromWire(error.category);
  const reason = reasonOf(status);
  return [
    ...(reason === undefined || category === reason
      ? []
      : [`its category is ${category}, and the reason is ${reason}`]),
    ...(error.message.trim() === "" ? ["its message is empty"] : []),
  ];
}

/** Whether the gRPC code is the category's. */
export function codeProblems(status: GrpcError): string[] {
  const reason = reasonOf(status);
  if (reason === undefined || !isCategory(reason)) return [];
  const expected = errorCategories[reason].grpcCode;
  return status.code === expected
    ? []
    : [`the code of ${reason} is ${codeName(expected)}, not ${codeName(status.code)}`];
}

/** Whether trailers and details say the same; else grpc-go makes its own error of it. */
export function trailerProblems({ trailers }: RawResponse): string[] {
  const bytes = trailers["grpc-status-details-bin"];
  if (bytes === undefined) return ["there is no grpc-status-details-bin"];
  try {
    const status = fromBinary(RpcStatusSchema, Buffer.from(String(bytes), "base64"));
    const message = decodeURIComponent(String(trailers["grpc-message"] ?? ""));
    return [
      ...(String(status.code) === trailers["grpc-status"]
        ? []
        : [`grpc-status is ${trailers["grpc-status"]}, and the details say ${status.code}`]),
      ...(status.message === message ? [] : ["grpc-message and the details' message differ"]),
    ];
  } catch (error) {
    return [
      `grpc-status-details-bin or grpc-message does not decode: ${error instanceof Error ? error.message : error}`,
    ];
  }
}

function isCategory(word: string): word is ErrorCategory {
  return Object.hasOwn(errorCategories, word);
}
