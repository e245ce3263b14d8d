// The configuration as the author's `open` gets it: defaults applied, zero values of absent attributes taken
// out again, strictly validated (semantics.md, 'agent.hcl').
import {
  type Json,
  type ObjectNode,
  problemsInWords,
  type SchemaNode,
  ToolError,
  validate,
} from "@pluggableharness/protocol";

/** Decodes what Configure received. Throws invalid_arguments naming every attribute that is wrong. */
export function readConfig(
  node: ObjectNode,
  config: { readonly [key: string]: Json },
): { [key: string]: Json } {
  const filled = fill(node, config);
  const problems = validate(node, filled);
  if (problems.length > 0) {
    throw new ToolError(
      "invalid_arguments",
      `the provider block is not valid: ${problemsInWords(problems, "config")}`,
    );
  }
  return filled;
}

function fill(node: ObjectNode, given: { readonly [key: string]: Json }): { [key: string]: Json } {
  const filled: { [key: string]: Json } = { ...given };
  for (const [name, attribute] of Object.entries(node.properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (attribute.defaultJson !== undefined) {
      // A host that applies defaults sends them itself, so a zero value beside a default was written by hand.
      if (value === undefined || value === null)
        filled[name] = JSON.parse(attribute.defaultJson) as Json; // made by s.default
      else if (attribute.type === "object") filled[name] = fillObject(attribute, value);
      continue;
    }
    const isOptional = !node.required.includes(name);
    if (isOptional && (value === undefined || isZero(attribute, value))) delete filled[name];
    else if (attribute.type === "object" && value !== undefined) filled[name] = fillObject(attribute, value);
  }
  return filled;
}

function fillObject(node: ObjectNode, value: Json): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? fill(node, value) : value;
}

/** The value an absent optional attribute arrives as; false is left, since it says the same either way. */
function isZero(node: SchemaNode, value: Json | undefined): boolean {
  if (value === null || value === "" || value === 0) return true;
  if (typeof value !== "object") return false;
  return node.type !== "boolean" && Object.keys(value ?? {}).length === 0;
}
