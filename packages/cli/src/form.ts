// Asks a person for an object, field by field as its schema says: what is required first, what has only one possible
// value not at all.
import { type Json, type ObjectNode, type SchemaNode, visibleText } from "@pluggableharness/protocol";
import { hintOf, parseField } from "./field.ts";

type JsonObject = { [key: string]: Json };

/** How a form speaks with its person. */
export interface FormPerson {
  /** A line of an answer; undefined where the person has given up. */
  readonly ask: (prompt: string) => Promise<string | undefined>;
  readonly say: (line: string) => void;
}

/** Fills in the object; undefined where the person has given up. `current` is what an empty answer keeps. */
export async function fillForm(
  node: ObjectNode,
  person: FormPerson,
  current: JsonObject = {},
  path = "",
): Promise<JsonObject | undefined> {
  const filled: JsonObject = {};
  const names = Object.keys(node.properties);
  const isRequired = (name: string): boolean => node.required.includes(name);
  for (const name of [...names.filter(isRequired), ...names.filter((each) => !isRequired(each))]) {
    const property = node.properties[name];
    if (property === undefined) continue;
    const field = { name: path === "" ? name : `${path}.${name}`, isRequired: isRequired(name) };
    const value = await fillField(property, person, field, current[name]);
    if (value === "given up") return undefined;
    if (value !== "left out") filled[name] = value.value;
  }
  return filled;
}

type Filled = { readonly value: Json } | "left out" | "given up";

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
}

async function fillField(
  node: SchemaNode,
  person: FormPerson,
  field: Field,
  current: Json | undefined,
): Promise<Filled> {
  const only = node.type === "string" && node.enumValues?.length === 1 ? node.enumValues[0] : undefined;
  if (only !== undefined) return { value: only };
  if (node.type === "object" && field.isRequired && Object.keys(node.properties).length > 0) {
    const filled = await fillForm(node, person, isObject(current) ? current : {}, field.name);
    return filled === undefined ? "given up" : { value: filled };
  }
  if (node.description !== "") person.say(`  ${visibleText(node.description)}`);
  for (;;) {
    const answer = await person.ask(promptOf(node, field, current));
    if (answer === undefined) return "given up";
    if (answer === "" && current !== undefined) return { value: current };
    if ((answer === "" || answer === "-") && !field.isRequired) return "left out";
    const typed = parseField(node, answer);
    if (typed.ok && answer !== "") return { value: typed.value };
    person.say(typed.ok ? '  type a value, or "" for an empty text' : `  ${visibleText(typed.problem)}`);
  }
}

function promptOf(node: SchemaNode, { name, isRequired }: Field, current: Json | undefined): string {
  const facts = [hintOf(node)];
  if (current !== undefined) facts.push(`enter keeps ${shortened(JSON.stringify(current))}`);
  if (!isRequired) facts.push(current === undefined ? "enter leaves it out" : "- leaves it out");
  return visibleText(`  ${name} (${facts.join("; ")}): `);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
