// Schemas of the builder as the wire's messages: input and output schemas, and the configuration's attributes
// (wire.md, schema.v1 and config.v1).
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ObjectNode, SchemaNode } from "@pluggableharness/protocol";
import {
  AttrType,
  type ConfigAttributeSchema,
  type SchemaSchema,
  SchemaType,
} from "@pluggableharness/protocol/wire";

type WireSchema = MessageInitShape<typeof SchemaSchema>;
type WireAttribute = MessageInitShape<typeof ConfigAttributeSchema>;

const schemaTypes = {
  object: SchemaType.OBJECT,
  string: SchemaType.STRING,
  number: SchemaType.NUMBER,
  boolean: SchemaType.BOOLEAN,
  array: SchemaType.ARRAY,
} as const;

/** A schema of arguments or results. Throws for a `map`, which only configuration has. */
export function wireSchema(node: SchemaNode): WireSchema {
  const { description } = node;
  switch (node.type) {
    case "map":
      throw new Error("a map can only stand in a configuration schema; use an object");
    case "object":
      return {
        type: schemaTypes.object,
        description,
        properties: Object.fromEntries(
          Object.entries(node.properties).map(([name, property]) => [name, wireSchema(property)]),
        ),
        required: [...node.required],
      };
    case "array":
      return { type: schemaTypes.array, description, items: wireSchema(node.items) };
    case "string":
      return { type: schemaTypes.string, description, enumValues: [...(node.enumValues ?? [])] };
    default:
      return { type: schemaTypes[node.type], description };
  }
}

/** The attributes of a configuration. Throws for a shape that agent.hcl cannot say. */
export function wireAttributes(config: ObjectNode): WireAttribute[] {
  return Object.entries(config.properties).map(([name, node]) => ({
    name,
    type: attributeType(name, node),
    // With a default the kernel fills it in, so it is not required of the operator.
    required: config.required.includes(name) && node.defaultJson === undefined,
    sensitive: node.sensitive === true,
    description: node.description,
    objectAttributes: node.type === "object" ? wireAttributes(node) : [],
    ...(node.defaultJson === undefined ? {} : { defaultJson: node.defaultJson }),
  }));
}

function attributeType(name: string, node: SchemaNode): AttrType {
  switch (node.type) {
    case "string":
      return AttrType.STRING;
    case "number":
      return AttrType.NUMBER;
    case "boolean":
      return AttrType.BOOL;
    case "map":
      return AttrType.MAP_STRING;
    case "object":
      return AttrType.OBJECT;
    case "array":
      if (node.items.type === "string") return AttrType.LIST_STRING;
      if (node.items.type === "number") return AttrType.LIST_NUMBER;
      throw new Error(`config attribute ${name}: a list holds strings or numbers`);
  }
}
