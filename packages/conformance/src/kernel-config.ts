// The configuration as the kernel sends it: an optional attribute that is absent arrives as its default, or as its
// type's zero value (semantics.md, 'agent.hcl'). Pure.
import type { MessageShape } from "@bufbuild/protobuf";
import type { Json } from "@pluggableharness/protocol";
import { AttrType, type ConfigAttributeSchema } from "@pluggableharness/protocol/wire";
import type { JsonObject } from "./recipe.ts";

export type ConfigAttribute = MessageShape<typeof ConfigAttributeSchema>;

/** `given` with what is missing filled in. A required attribute that is missing stays missing. */
export function kernelConfig(given: JsonObject, attributes: readonly ConfigAttribute[]): JsonObject {
  const config: { [key: string]: Json } = { ...given };
  for (const attribute of attributes) {
    const value = config[attribute.name];
    if (attribute.type === AttrType.OBJECT && isObject(value)) {
      config[attribute.name] = { ...kernelConfig(value, attribute.objectAttributes) };
    } else if (value === undefined && !attribute.required) config[attribute.name] = absent(attribute);
  }
  return config;
}

/** A configuration for a plugin whose author gave none: what is required is the scratch directory, or a small value. */
export function guessedConfig(attributes: readonly ConfigAttribute[], directory: string): JsonObject {
  return Object.fromEntries(
    attributes
      .filter(({ required }) => required)
      .map((attribute) => [attribute.name, guess(attribute, directory)]),
  );
}

function absent(attribute: ConfigAttribute): Json {
  if (attribute.defaultJson !== undefined) {
    try {
      // What JSON.parse makes is JSON. A default that does not parse is another check's business.
      return JSON.parse(attribute.defaultJson) as Json;
    } catch {}
  }
  switch (attribute.type) {
    case AttrType.NUMBER:
      return 0;
    case AttrType.BOOL:
      return false;
    case AttrType.LIST_STRING:
    case AttrType.LIST_NUMBER:
      return [];
    case AttrType.MAP_STRING:
      return {};
    case AttrType.OBJECT:
      return { ...kernelConfig({}, attribute.objectAttributes) };
    default:
      return "";
  }
}

function guess(attribute: ConfigAttribute, directory: string): Json {
  switch (attribute.type) {
    case AttrType.NUMBER:
      return 1;
    case AttrType.BOOL:
      return false;
    case AttrType.LIST_STRING:
      return [directory];
    case AttrType.LIST_NUMBER:
      return [1];
    case AttrType.MAP_STRING:
      return {};
    case AttrType.OBJECT:
      return { ...guessedConfig(attribute.objectAttributes, directory) };
    default:
      return directory;
  }
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
