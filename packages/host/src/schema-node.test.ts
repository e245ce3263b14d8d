import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SchemaSchema, SchemaType } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { schemaNodeOf } from "./schema-node.ts";

function node(init: MessageInitShape<typeof SchemaSchema>) {
  return schemaNodeOf(create(SchemaSchema, init));
}

describe("a wire schema", () => {
  it("becomes a node with everything it says", () => {
    expect(
      node({
        type: SchemaType.OBJECT,
        required: ["mode"],
        properties: {
          mode: { type: SchemaType.STRING, enumValues: ["a", "b"], description: "Which." },
          sizes: { type: SchemaType.ARRAY, items: { type: SchemaType.NUMBER } },
          deep: { type: SchemaType.OBJECT, properties: { on: { type: SchemaType.BOOLEAN } } },
        },
      }),
    ).toEqual({
      type: "object",
      description: "",
      required: ["mode"],
      properties: {
        mode: { type: "string", description: "Which.", enumValues: ["a", "b"] },
        sizes: { type: "array", description: "", items: { type: "number", description: "" } },
        deep: {
          type: "object",
          description: "",
          required: [],
          properties: { on: { type: "boolean", description: "" } },
        },
      },
    });
  });

  it.each([
    ["without a type", {}, "the schema has no type"],
    ["with an array without items", { type: SchemaType.ARRAY }, "the schema is an array without items"],
    [
      "with a property without a type",
      { type: SchemaType.OBJECT, properties: { a: { type: SchemaType.ARRAY, items: {} } } },
      '"a[]" has no type',
    ],
  ] as const)("%s is refused", (_name, init, message) => {
    expect(() => node(init)).toThrow(message);
  });

  it("that is nested without end is refused before the stack is", () => {
    let schema = create(SchemaSchema, { type: SchemaType.STRING });
    for (let level = 0; level < 5_000; level++) {
      schema = create(SchemaSchema, { type: SchemaType.ARRAY, items: schema });
    }
    expect(() => schemaNodeOf(schema)).toThrow("nested more than 100 levels deep");
  });
});
