import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStderrLine } from "./stderr-record.ts";

describe("parseStderrLine", () => {
  it.each([
    [
      '{"@level":"info","@message":"m","@timestamp":"t","a":1}',
      { level: "info", message: "m", time: "t", fields: { a: 1 } },
    ],
    ['{"@level":"WARN","@message":"m","@timestamp":5}', { level: "warn", message: "m", fields: {} }],
    ["panic: runtime error", { level: "error", message: "panic: runtime error" }],
    ['{"@level":"info","@message":3}', { level: "debug", fields: {} }],
    ['{"@level":null,"@message":"m"}', { level: "debug", fields: {} }],
    ['{"level":30,"msg":"other logger"}', { level: "debug", fields: {} }],
    ["[WARN] careful", { level: "warn", message: "[WARN] careful" }],
    ["plain", { level: "debug", message: "plain" }],
    ["{broken", { level: "debug", message: "{broken" }],
    ["null", { level: "debug", message: "null" }],
  ])("reads %s", (line, record) => {
    expect(parseStderrLine(line)).toMatchObject(record);
  });

  it("takes a record that is nested too deep to be walked for text", () => {
    const nested = (levels: number): string =>
      `{"@level":"info","@message":"m","a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(parseStderrLine(nested(31))).toMatchObject({ level: "info", message: "m" });
    for (const levels of [32, 30_000])
      expect(parseStderrLine(nested(levels))).toEqual({
        level: "debug",
        message: nested(levels),
        fields: {},
      });
  });

  it("takes any text and any JSON without throwing", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (line) => typeof parseStderrLine(line).message === "string",
      ),
    );
  });
});
