import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import {
  ErrorInfoSchema,
  RpcStatusSchema,
  ToolErrorCategory,
  ToolErrorSchema,
} from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { codeProblems, errorInfoProblems, toolErrorProblems, trailerProblems } from "./status-problems.ts";

const info = (reason: string, domain = "tool.pluggableharness.dev"): Any =>
  anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain }));
const toolError = (category: ToolErrorCategory, message = "no"): Any =>
  anyPack(ToolErrorSchema, create(ToolErrorSchema, { category, message }));
const status = (code: Code, ...details: Any[]): GrpcError => new GrpcError(code, "no", { details });
const { NOT_FOUND } = ToolErrorCategory;

describe("a status", () => {
  it("that says the same three times has no problems", () => {
    const good = status(Code.NOT_FOUND, info("not_found"), toolError(NOT_FOUND));
    expect([...errorInfoProblems(good), ...toolErrorProblems(good), ...codeProblems(good)]).toEqual([]);
  });

  it.each([
    ["no ErrorInfo", errorInfoProblems, status(Code.NOT_FOUND), "has no google.rpc.ErrorInfo"],
    [
      "another domain",
      errorInfoProblems,
      status(Code.NOT_FOUND, info("not_found", "x")),
      'its domain is "x"',
    ],
    ["a reason in capitals", errorInfoProblems, status(Code.NOT_FOUND, info("NOT_FOUND")), "is no category"],
    ["no ToolError", toolErrorProblems, status(Code.NOT_FOUND, info("not_found")), "has no ToolError"],
    [
      "another category in the ToolError",
      toolErrorProblems,
      status(Code.NOT_FOUND, info("unknown"), toolError(NOT_FOUND)),
      "its category is not_found, and the reason is unknown",
    ],
    [
      "a ToolError without a message",
      toolErrorProblems,
      status(Code.NOT_FOUND, info("not_found"), toolError(NOT_FOUND, "")),
      "its message is empty",
    ],
    ["another code", codeProblems, status(Code.UNKNOWN, info("not_found")), "is NOT_FOUND, not UNKNOWN"],
  ] as const)("with %s is found out", (_name, problems, given, words) => {
    expect(problems(given)).toEqual([expect.stringContaining(words)]);
  });
});

describe("trailers", () => {
  const details = (code: number, message: string): string =>
    Buffer.from(toBinary(RpcStatusSchema, create(RpcStatusSchema, { code, message }))).toString("base64");
  const response = (trailers: Record<string, string>) => ({
    headers: {},
    trailers,
    messages: [],
    resetCode: 0,
    ended: true,
  });

  it.each([
    [
      "equal",
      { "grpc-status": "5", "grpc-message": "n%C3%B6", "grpc-status-details-bin": details(5, "nö") },
      0,
    ],
    [
      "another code",
      { "grpc-status": "5", "grpc-message": "n", "grpc-status-details-bin": details(6, "n") },
      1,
    ],
    [
      "another message",
      { "grpc-status": "5", "grpc-message": "n", "grpc-status-details-bin": details(5, "m") },
      1,
    ],
    ["no details", { "grpc-status": "5" }, 1],
    ["bytes that are no status", { "grpc-status": "5", "grpc-status-details-bin": "Cv////8P" }, 1],
    [
      "a message that is badly encoded",
      { "grpc-message": "%zz", "grpc-status-details-bin": details(5, "m") },
      1,
    ],
  ])("are compared with the details: %s", (_name, trailers, count) => {
    expect(trailerProblems(response(trailers))).toHaveLength(count);
  });
});
