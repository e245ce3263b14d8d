import { create } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { ErrorInfoSchema, ToolErrorCategory, ToolErrorSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { toolErrorOf } from "./status-failure.ts";

const info = anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "timeout" }));
const attached = anyPack(
  ToolErrorSchema,
  create(ToolErrorSchema, {
    category: ToolErrorCategory.CONCURRENCY_CONFLICT,
    message: "busy",
    retryable: true,
    details: { path: "a.txt" },
  }),
);
const malformed = create(AnySchema, { typeUrl: attached.typeUrl, value: new Uint8Array([0x12, 0xff]) });

describe("toolErrorOf", () => {
  it.each([
    ["the attached error", [info, attached], { category: "concurrency_conflict", message: "busy" }],
    ["the code, without details", [], { category: "not_found", message: "no such thing" }],
    ["the code, where details are malformed", [malformed], { category: "not_found" }],
    ["what can be read, where only some details are malformed", [malformed, attached], { message: "busy" }],
  ])("takes %s", (_name, details, expected) => {
    const error = new GrpcError(Code.NOT_FOUND, "no such thing", { details });
    expect(toolErrorOf(error)).toMatchObject({ ...expected, cause: error });
  });

  it.each([
    [Code.INTERNAL, "unknown"],
    [Code.UNAVAILABLE, "unknown"],
    [Code.UNIMPLEMENTED, "unknown"],
    [Code.INVALID_ARGUMENT, "invalid_arguments"],
    [Code.DEADLINE_EXCEEDED, "timeout"],
    [Code.CANCELLED, "cancelled"],
  ])("takes code %d for %s", (code, category) => {
    expect(toolErrorOf(new GrpcError(code, "x"))).toMatchObject({ category });
  });
});
