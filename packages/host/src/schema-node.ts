// A schema of the wire as the plain node that `validate` takes (semantics.md, 'Schemas'). Pure. A plugin may send
// anything: what is no schema becomes a reason to reject it.
import type { MessageShape } from "@bufbuild/protobuf";
import type { SchemaNode } from "@pluggableharness/protocol";
import { type SchemaSchema, SchemaType } from "@pluggableharness/protocol/wire";

type WireSchema = MessageShape<typeof SchemaSchema>;

/** Deeper schemas are refused: validating against them would exhaust the stack. */
const MAX_DEPTH = 100;

/** The node of a wire schema. Throws where it has no type, an array no items, or it is nested too deep. */
export function schemaNodeOf(schema: WireSchema, path = "", depth = 0): SchemaNode {
  const { description } = schema;
  if (depth > MAX_DEPTH) throw new Error(`${place(path)} is nested more than ${MAX_DEPTH} levels deep`);
  switch (schema.type) {
    case SchemaType.OBJECT:
      return {
        type: "object",
        description,
        required: schema.required,
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([name, property]) => [
            name,
            schemaNodeOf(property, path === "" ? name : `${path}.${name}`, depth + 1),
          ]),
        ),
      };
    case SchemaType.ARRAY:
      if (schema.items === undefined) throw new Error(`${place(path)} is an array without items`);
      return { type: "array", description, items: schemaNodeOf(schema.items, `${path}[]`, depth + 1) };
    case SchemaType.STRING:
      return {
        type: "string",
        description,
        ...(schema.enumValues.length > 0 && { enumValues: schema.enumValues }),
      };
    case SchemaType.NUMBER:
      return { type: "number", description };
    case SchemaType.BOOLEAN:
      return { type: "boolean", description };
    default:
      throw new Error(`${place(path)} has no type`);
  }
}

function place(path: string): string {
  return path === "" ? "the schema" : `"${path}"`;
}
