// What an attribute of a plugin's configuration is where it is not written (semantics.md, 'agent.hcl'). Pure.
import type { MessageShape } from "@bufbuild/protobuf";
import type { Json } from "@pluggableharness/protocol";
import { AttrType, type ConfigAttributeSchema } from "@pluggableharness/protocol/wire";
import { isObject } from "./hcl-document.ts";

export type ConfigAttribute = MessageShape<typeof ConfigAttributeSchema>;

/** Its default, else its type's zero value. */
export function absentValue({ type, defaultJson, objectAttributes }: ConfigAttribute): Json {
  // A default that is no JSON is the plugin's fault, and is taken for none.
  const byDefault = defaultJson === undefined ? undefined : parsedDefault(defaultJson);
  switch (type) {
    case AttrType.NUMBER:
      return byDefault ?? 0;
    case AttrType.BOOL:
      return byDefault ?? false;
    case AttrType.LIST_STRING:
    case AttrType.LIST_NUMBER:
      return byDefault ?? [];
    case AttrType.MAP_STRING:
      return byDefault ?? {};
    case AttrType.OBJECT:
      return {
        ...Object.fromEntries(objectAttributes.map((attribute) => [attribute.name, absentValue(attribute)])),
        ...(isObject(byDefault) && byDefault),
      };
    default:
      return byDefault ?? "";
  }
}

/**
 * The sensitive attributes that a schema gives a default, which is not allowed: by themselves, or with the object that
 * they stand in. Nested ones as `object.attribute`.
 */
export function sensitiveDefaults(attributes: readonly ConfigAttribute[]): string[] {
  return defaultsIn(attributes, false, {});
}

/** `isSecret` where what they stand in is sensitive as a whole; `outer` is the default of that. */
function defaultsIn(
  attributes: readonly ConfigAttribute[],
  isSecret: boolean,
  outer: { readonly [name: string]: Json },
): string[] {
  return attributes.flatMap(({ name, type, sensitive, defaultJson, objectAttributes }) => {
    const isSensitive = isSecret || sensitive;
    if (isSensitive && (defaultJson !== undefined || Object.hasOwn(outer, name))) return [name];
    if (type !== AttrType.OBJECT) return [];
    const byDefault = defaultJson === undefined ? outer[name] : parsedDefault(defaultJson);
    const inner = defaultsIn(objectAttributes, isSensitive, isObject(byDefault) ? byDefault : {});
    return inner.map((one) => `${name}.${one}`);
  });
}

function parsedDefault(text: string): Json | undefined {
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
