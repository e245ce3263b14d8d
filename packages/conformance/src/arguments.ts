// Arguments made from an input schema: ones that fit it, and ones that do not, each in one way. Pure.
import type { Json, ObjectNode, SchemaNode } from "@pluggableharness/protocol";
import type { JsonObject } from "./recipe.ts";

/** Arguments that a plugin must refuse as invalid. */
export interface Misfit {
  /** What is wrong, as the end of a sentence: `without "path"`. */
  readonly how: string;
  readonly args: JsonObject;
}

/** The smallest arguments that fit: every required property, nothing else. */
export function fittingArguments(node: ObjectNode): JsonObject {
  return Object.fromEntries(
    node.required.flatMap((name) => {
      const property = node.properties[name];
      return property === undefined ? [] : [[name, fitting(property)]];
    }),
  );
}

/** Every required property left out, in turn. */
export function withoutRequired(node: ObjectNode, good: JsonObject): Misfit[] {
  return node.required.map((name) => ({
    how: `without "${name}"`,
    args: Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)),
  }));
}

/** Every property with a value of another type, in turn. */
export function ofWrongType(node: ObjectNode, good: JsonObject): Misfit[] {
  return Object.entries(node.properties).map(([name, property]) => {
    const wrong = property.type === "string" ? 42 : property.type === "array" ? "a string" : ["a list"];
    return { how: `with ${JSON.stringify(wrong)} as "${name}"`, args: { ...good, [name]: wrong } };
  });
}

/** Every property as null, in turn. */
export function withNull(node: ObjectNode, good: JsonObject): Misfit[] {
  return Object.keys(node.properties).map((name) => ({
    how: `with null as "${name}"`,
    args: { ...good, [name]: null },
  }));
}

/** Every property that takes certain words with another word, in turn. */
export function outsideEnum(node: ObjectNode, good: JsonObject): Misfit[] {
  return Object.entries(node.properties)
    .filter(([, property]) => property.type === "string" && property.enumValues !== undefined)
    .map(([name]) => ({
      how: `with "no such word" as "${name}"`,
      args: { ...good, [name]: "no such word" },
    }));
}

function fitting(node: SchemaNode): Json {
  switch (node.type) {
    case "string":
      return node.enumValues?.[0] ?? "conformance";
    case "number":
      return 1;
    case "boolean":
      return false;
    case "array":
      return [fitting(node.items)];
    case "map":
      return {};
    case "object":
      return { ...fittingArguments(node) };
  }
}
