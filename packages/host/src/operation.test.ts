import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { RiskClass, SchemaType, ToolKind, ToolSchemaSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { operationOf, operationsOf } from "./operation.ts";

type ToolInit = Extract<MessageInitShape<typeof ToolSchemaSchema>, { $typeName?: never }>;
const object = { type: SchemaType.OBJECT };
const good = {
  name: "edit",
  kind: ToolKind.RESOURCE,
  risk: RiskClass.LOW,
  inputSchema: object,
  outputSchema: object,
} satisfies ToolInit;
const tool = (init: ToolInit) => create(ToolSchemaSchema, { ...good, ...init });

describe("an operation", () => {
  it("is what its schema says", () => {
    const schema = tool({
      idempotent: true,
      terminatesTurn: true,
      defaultTimeout: { seconds: 2n, nanos: 500_000_000 },
      concurrency: { safe: true, keyFields: ["path"] },
    });
    expect(operationOf("files", schema)).toMatchObject({
      provider: "files",
      kind: "resource",
      risk: "low",
      defaultTimeoutMs: 2_500,
      mayRepeat: true,
      terminatesTurn: true,
      concurrency: { safe: true, keyFields: ["path"] },
    });
  });

  it.each<[string, ToolInit, boolean]>([
    ["reads", { kind: ToolKind.DATA_SOURCE, risk: RiskClass.READ_ONLY }, true],
    ["asks", { kind: ToolKind.INTERACTIVE, risk: RiskClass.READ_ONLY, idempotent: true }, false],
    ["changes something", {}, false],
  ])("that %s may be repeated or not", (_name, init, mayRepeat) => {
    expect(operationOf("files", tool(init))).toMatchObject({ mayRepeat, terminatesTurn: false });
  });

  it.each<[string, ToolInit, string]>([
    ["no kind", { kind: ToolKind.UNSPECIFIED }, "has no kind"],
    ["no risk", { risk: RiskClass.UNSPECIFIED }, "has no risk"],
    [
      "a risk that a resource cannot have",
      { risk: RiskClass.READ_ONLY },
      "a resource with the risk read_only",
    ],
    [
      "a risk that a data source cannot have",
      { kind: ToolKind.DATA_SOURCE },
      "a data_source with the risk low",
    ],
    ["a schema without a type", { outputSchema: {} }, "has an output_schema that is none"],
  ])("is refused with %s", (_name, init, words) => {
    expect(() => operationOf("files", tool(init))).toThrow(words);
  });

  it("is refused without a schema, and with the name of another", () => {
    const { inputSchema: _, ...rest } = good;
    expect(() => operationOf("files", create(ToolSchemaSchema, rest))).toThrow("has no input_schema");
    expect(() => operationsOf("files", [tool({}), tool({})])).toThrow('two operations "edit"');
  });
});
