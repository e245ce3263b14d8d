// Strict validation of a value against a schema: no coercion, unknown properties allowed, every message
// begins with the exact path of the field (semantics.md, 'Schemas'). Pure.
import type { SchemaNode } from "./schema.ts";

/** One thing that is wrong, and where. */
export interface Problem {
  /** Such as `edits[2].old_string`; empty for the value itself. */
  readonly path: string;
  /** What was expected and what was given. */
  readonly message: string;
}

/** At most this many problems are collected; a model needs no more to correct a call. */
export const MAX_PROBLEMS = 8;

/** Checks a value; an empty list means it conforms. Never throws, whatever the value. */
export function validate(node: SchemaNode, value: unknown): Problem[] {
  const problems: Problem[] = [];
  check(node, value, "", problems);
  return problems;
}

/** The problems as one sentence each, joined: `path: expected string, got number 3`. */
export function problemsInWords(problems: readonly Problem[], subject: string): string {
  return problems.map(({ path, message }) => `${path === "" ? subject : path}: ${message}`).join("; ");
}

function check(node: SchemaNode, value: unknown, path: string, problems: Problem[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const wrong = wrongType(node, value) ?? wrongValue(node, value);
  if (wrong !== undefined) {
    problems.push({ path, message: wrong });
    return;
  }
  if (node.type === "object" && isRecord(value)) {
    for (const name of node.required) {
      if (!Object.hasOwn(value, name)) {
        problems.push({
          path: join(path, name),
          message: `required ${expectation(node.properties[name])} is missing`,
        });
      }
    }
    for (const [name, property] of Object.entries(node.properties)) {
      if (Object.hasOwn(value, name)) check(property, value[name], join(path, name), problems);
    }
  }
  if (node.type === "array" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(node.items, item, `${path}[${index}]`, problems);
  }
  if (node.type === "map" && isRecord(value)) {
    for (const [name, item] of Object.entries(value)) {
      check({ type: "string", description: "" }, item, join(path, name), problems);
    }
  }
}

function wrongType(node: SchemaNode, value: unknown): string | undefined {
  const matches =
    node.type === "array"
      ? Array.isArray(value)
      : node.type === "object" || node.type === "map"
        ? isRecord(value)
        : typeof value === node.type;
  if (matches) return undefined;
  const hint = value === null ? "; leave the property out instead" : "";
  return `expected ${expectation(node)}, got ${describe(value)}${hint}`;
}

function wrongValue(node: SchemaNode, value: unknown): string | undefined {
  if (node.type === "string" && node.enumValues !== undefined && typeof value === "string") {
    return node.enumValues.includes(value)
      ? undefined
      : `expected ${expectation(node)}, got ${describe(value)}`;
  }
  if (node.type !== "number" || typeof value !== "number") return undefined;
  const outside =
    !Number.isFinite(value) ||
    (node.integer === true && !Number.isSafeInteger(value)) ||
    (node.min !== undefined && value < node.min) ||
    (node.max !== undefined && value > node.max);
  return outside ? `expected ${expectation(node)}, got ${describe(value)}` : undefined;
}

function expectation(node: SchemaNode | undefined): string {
  if (node === undefined) return "value";
  if (node.type === "string" && node.enumValues !== undefined) {
    return `one of ${node.enumValues.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  if (node.type !== "number") return node.type === "map" ? "object with string values" : node.type;
  const kind = node.integer === true ? "whole number" : "number";
  if (node.min !== undefined && node.max !== undefined) return `${kind} from ${node.min} to ${node.max}`;
  if (node.min !== undefined) return `${kind} of at least ${node.min}`;
  return node.max === undefined ? kind : `${kind} of at most ${node.max}`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "array";
  if (typeof value === "string")
    return `string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (typeof value === "number" || typeof value === "boolean") return `${typeof value} ${value}`;
  return typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function join(path: string, name: string): string {
  const step = /^[A-Za-z_]\w*$/.test(name)
    ? name
    : JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  return path === "" ? step : `${path}.${step}`;
}
