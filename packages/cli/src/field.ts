// What a person types for one value of a schema, and what is wrong with it. Pure.
import { type Json, type SchemaNode, validate } from "@pluggableharness/protocol";

/** A value, or what is wrong with what was typed. */
export type Typed =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/**
 * The value of a text. Strings stand for themselves, or are JSON where they begin with a quote, which is how a line
 * feed or an empty string is typed; lists of plain values are JSON or separated by commas; everything deeper is JSON.
 */
export function parseField(node: SchemaNode, text: string): Typed {
  const typed = typedValue(node, text.trim() === "" ? text : text.trim(), text);
  if (!typed.ok) return typed;
  const [problem] = validate(node, typed.value);
  if (problem === undefined) return typed;
  return fail(problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`);
}

/** What can be typed, in a few words. */
export function hintOf(node: SchemaNode): string {
  switch (node.type) {
    case "string":
      return node.enumValues === undefined ? "text" : node.enumValues.join(" | ");
    case "boolean":
      return "yes | no";
    case "array":
      return isPlain(node.items) ? `list of ${hintOf(node.items)}, separated by commas` : "list, as JSON";
    case "number":
      return "number";
    default:
      return "object, as JSON";
  }
}

function typedValue(node: SchemaNode, trimmed: string, text: string): Typed {
  switch (node.type) {
    case "string":
      if (node.enumValues !== undefined) return oneOf(node.enumValues, trimmed);
      return trimmed.startsWith('"') ? parseJson(trimmed) : { ok: true, value: text };
    case "number": {
      const value = Number(trimmed);
      return trimmed === "" || Number.isNaN(value) ? fail(`"${trimmed}" is no number`) : { ok: true, value };
    }
    case "boolean":
      if (/^(y|yes|true)$/i.test(trimmed)) return { ok: true, value: true };
      return /^(n|no|false)$/i.test(trimmed) ? { ok: true, value: false } : fail("type yes or no");
    case "array":
      return trimmed.startsWith("[") || !isPlain(node.items)
        ? parseJson(trimmed)
        : listOf(node.items, trimmed);
    default:
      return parseJson(trimmed);
  }
}

/** The value that is meant by its whole text or by a beginning that no other value has. */
function oneOf(values: readonly string[], text: string): Typed {
  const meant = values.includes(text) ? [text] : values.filter((value) => value.startsWith(text));
  const [value] = meant;
  return value !== undefined && meant.length === 1
    ? { ok: true, value }
    : fail(`type one of ${values.join(", ")}`);
}

function listOf(items: SchemaNode, text: string): Typed {
  const list: Json[] = [];
  for (const part of text.split(",")) {
    const typed = typedValue(items, part.trim(), part.trim());
    if (!typed.ok) return typed;
    list.push(typed.value);
  }
  return { ok: true, value: list };
}

function parseJson(text: string): Typed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return fail(`this is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function isPlain({ type }: SchemaNode): boolean {
  return type === "string" || type === "number" || type === "boolean";
}

function fail(problem: string): Typed {
  return { ok: false, problem };
}
