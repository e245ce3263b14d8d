import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ErrorInfoSchema, RpcStatusSchema } from "@pluggableharness/protocol/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";
import {
  decodeMessage,
  encodeMessage,
  errorFromTrailers,
  errorTrailers,
  MAX_MESSAGE_CHARS,
  okTrailers,
} from "./trailers.ts";

const detail = anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "not_found", domain: "d" }));

describe("trailers", () => {
  it("carry any message through printable ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (message) => {
        const encoded = encodeMessage(message.toWellFormed());
        expect(encoded).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeMessage(encoded)).toBe(message.toWellFormed());
      }),
    );
    expect(encodeMessage("é % \n")).toBe("%C3%A9 %25 %0A");
    expect(decodeMessage("50%25 of 100%")).toBe("50% of 100%");
  });

  it("round-trip an error with its details", () => {
    const read = errorFromTrailers(
      errorTrailers(new GrpcError(Code.NOT_FOUND, "nö", { details: [detail] })) as Record<string, string>,
    );
    expect(read).toMatchObject({
      code: Code.NOT_FOUND,
      message: "nö",
      details: [{ typeUrl: detail.typeUrl }],
    });
    expect(errorFromTrailers({ ...okTrailers } as Record<string, string>)).toBeUndefined();
  });

  it("replace a lone surrogate and cut a long message, in both places alike", () => {
    const trailers = errorTrailers(
      new GrpcError(Code.INTERNAL, `\ud800${"x".repeat(10_000)}`, { details: [detail] }),
    );
    const message = decodeMessage(String(trailers["grpc-message"]));
    expect(message).toBe(`\ufffd${"x".repeat(MAX_MESSAGE_CHARS - 1)}…`);
    const status = { code: Code.INTERNAL, message, details: [detail] };
    expect(trailers["grpc-status-details-bin"]).toBe(
      Buffer.from(toBinary(RpcStatusSchema, create(RpcStatusSchema, status))).toString("base64"),
    );
  });

  it("leave out details that a header could not carry", () => {
    const big = anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "x".repeat(20_000) }));
    const trailers = errorTrailers(new GrpcError(Code.INTERNAL, "m", { details: [big] }));
    expect(trailers).toEqual({ "grpc-status": "13", "grpc-message": "m" });
  });

  it.each([
    [{ "grpc-status": "5", "grpc-message": "m", "grpc-status-details-bin": "!!" }, Code.NOT_FOUND, "m"],
    [{ "grpc-status": "99" }, Code.UNKNOWN, ""],
    [{ "grpc-status": "abc", "grpc-message": "%zz" }, Code.UNKNOWN, "%zz"],
  ])("are read as far as they make sense: %j", (headers, code, message) => {
    expect(errorFromTrailers(headers)).toMatchObject({ code, message });
  });
});
