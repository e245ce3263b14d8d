import { create } from "@bufbuild/protobuf";
import { ToolError } from "@pluggableharness/protocol";
import { AttrType, ConfigSchemaSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { createRedact, redactError, redactRecord, secretsOf } from "./redact.ts";

const { attributes } = create(ConfigSchemaSchema, {
  attributes: [
    { name: "greeting", type: AttrType.STRING },
    { name: "key", type: AttrType.STRING, sensitive: true },
    { name: "keys", type: AttrType.LIST_STRING, sensitive: true },
    { name: "pin", type: AttrType.NUMBER, sensitive: true },
    {
      name: "proxy",
      type: AttrType.OBJECT,
      objectAttributes: [{ name: "password", type: AttrType.STRING, sensitive: true }, { name: "user" }],
    },
  ],
});

describe("the secrets of a configuration", () => {
  it("are what its schema calls sensitive, wherever it stands", () => {
    const config = {
      greeting: "hello",
      key: "k1",
      keys: ["k2", "k3"],
      pin: 4711,
      proxy: { user: "me", password: "p" },
    };
    expect(secretsOf(attributes, config)).toEqual(["k1", "k2", "k3", "4711", "p"]);
    expect(secretsOf(attributes, { proxy: "none" })).toEqual([]);
  });

  const redact = createRedact([
    "s3cret",
    "s3cret-long",
    'with"quote',
    "first line 1\nsecond line",
    "",
    "a.c|d",
  ]);
  it.each([
    ["is s3cret!", "is [redacted]!"],
    ["s3cret-long s3crets3cret", "[redacted] [redacted][redacted]"],
    [JSON.stringify({ key: 'with"quote' }), '{"key":"[redacted]"}'],
    ["at second line of it", "at [redacted] of it"],
    ["abc|d a.c|d", "abc|d [redacted]"],
    ["nothing", "nothing"],
  ])("are not in %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("are in no record and in no error", () => {
    const record = { level: "info", message: "s3cret", fields: { deep: [{ key: "s3cret", n: 1 }] } } as const;
    expect(redactRecord(record, redact)).toEqual({
      level: "info",
      message: "[redacted]",
      fields: { deep: [{ key: "[redacted]", n: 1 }] },
    });
    const error = new ToolError("timeout", "late", {
      details: { key: "s3cret" },
      cause: new Error("s3cret"),
    });
    const safe = redactError(error, redact);
    expect(safe).toMatchObject({ category: "timeout", retryable: true, details: { key: "[redacted]" } });
    expect(safe.cause).toBeUndefined();
    const harmless = new ToolError("not_found", "none");
    expect(redactError(harmless, redact)).toBe(harmless);
  });
});
