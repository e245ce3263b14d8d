// What the author of a plugin says about it, so that its operations can be called: configuration, files, arguments.
// A JSON object; README.md describes every field.
import type { Json } from "@pluggableharness/protocol";

export type JsonObject = { readonly [key: string]: Json };

/** A call of an operation. */
export interface RecipeStep {
  readonly operation: string;
  readonly arguments: JsonObject;
}

/** How one operation is called. */
export interface RecipeCall {
  /** A call that succeeds, quickly, and changes nothing outside the scratch directory. */
  readonly arguments: JsonObject;
  /** Arguments of the right types that the operation refuses as invalid. */
  readonly invalid: JsonObject | undefined;
  /** Arguments of a call that would go on for at least ten seconds. */
  readonly cancel: JsonObject | undefined;
  /** No call of it goes on for long, so there is none to cancel. */
  readonly brief: boolean;
  /** Calls to be made before, in the same session. */
  readonly setup: readonly RecipeStep[];
  /** The operation runs a process, and so may send an exit status. */
  readonly process: boolean;
  /** The arguments hold a path relative to the working directory: an empty one gives another outcome. */
  readonly relative: boolean;
}

/** A recipe, with what was left out filled in. */
export interface Recipe {
  /** Undefined: made from the plugin's configuration schema. */
  readonly config: JsonObject | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Content by path below the scratch directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Content by path of a web server on loopback; null for a page that never comes. */
  readonly http: Readonly<Record<string, string | null>>;
  readonly calls: Readonly<Record<string, RecipeCall>>;
}

/** The recipe of an author who wrote none. */
export const emptyRecipe: Recipe = { config: undefined, environment: {}, files: {}, http: {}, calls: {} };

/** Reads a recipe's text. Throws with the field that is wrong and what belongs there. */
export function parseRecipe(text: string): Recipe {
  const fields = record(JSON.parse(text), "the recipe", ["config", "environment", "files", "http", "calls"]);
  return {
    config: fields["config"] === undefined ? undefined : record(fields["config"], "config"),
    environment: strings(fields["environment"] ?? {}, "environment"),
    files: strings(fields["files"] ?? {}, "files"),
    http: Object.fromEntries(
      Object.entries(record(fields["http"] ?? {}, "http")).map(([path, page]) => [
        path,
        page === null ? null : string(page, `http.${path}`),
      ]),
    ),
    calls: Object.fromEntries(
      Object.entries(record(fields["calls"] ?? {}, "calls")).map(([name, value]) => [
        name,
        parseCall(value, `calls.${name}`),
      ]),
    ),
  };
}

/** The recipe with every `${name}` in its strings replaced. */
export function fillIn(recipe: Recipe, variables: Readonly<Record<string, string>>): Recipe {
  const fillString = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
  const fill = (value: Json): Json => {
    if (typeof value === "string") return fillString(value);
    if (Array.isArray(value)) return value.map(fill);
    return typeof value === "object" && value !== null ? { ...fillObject(value) } : value;
  };
  const fillObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, fill(value)]));
  const fillStrings = <V extends string | null>(object: Readonly<Record<string, V>>) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key, value === null ? value : fillString(value)]),
    );
  const fillCall = (call: RecipeCall): RecipeCall => ({
    ...call,
    arguments: fillObject(call.arguments),
    invalid: call.invalid && fillObject(call.invalid),
    cancel: call.cancel && fillObject(call.cancel),
    setup: call.setup.map((step) => ({ ...step, arguments: fillObject(step.arguments) })),
  });
  return {
    config: recipe.config && fillObject(recipe.config),
    environment: fillStrings(recipe.environment),
    files: fillStrings(recipe.files),
    http: recipe.http,
    calls: Object.fromEntries(Object.entries(recipe.calls).map(([name, call]) => [name, fillCall(call)])),
  };
}

function parseCall(value: Json, where: string): RecipeCall {
  const fields = record(value, where, [
    "arguments",
    "invalid",
    "cancel",
    "setup",
    "brief",
    "process",
    "relative",
  ]);
  const { invalid, cancel, setup = [] } = fields;
  if (!Array.isArray(setup)) throw new Error(`${where}.setup: expected a list of calls`);
  return {
    arguments: record(fields["arguments"] ?? {}, `${where}.arguments`),
    invalid: invalid === undefined ? undefined : record(invalid, `${where}.invalid`),
    cancel:
      cancel === undefined
        ? undefined
        : record(
            record(cancel, `${where}.cancel`, ["arguments"])["arguments"] ?? {},
            `${where}.cancel.arguments`,
          ),
    setup: setup.map((step, index) => {
      const place = `${where}.setup[${index}]`;
      const { operation = null, arguments: args = {} } = record(step, place, ["operation", "arguments"]);
      return {
        operation: string(operation, `${place}.operation`),
        arguments: record(args, `${place}.arguments`),
      };
    }),
    brief: boolean(fields["brief"] ?? false, `${where}.brief`),
    process: boolean(fields["process"] ?? false, `${where}.process`),
    relative: boolean(fields["relative"] ?? false, `${where}.relative`),
  };
}

function record(value: unknown, where: string, known?: readonly string[]): { [key: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where}: expected an object`);
  const unknown = Object.keys(value).find((key) => known !== undefined && !known.includes(key));
  if (unknown !== undefined) {
    throw new Error(`${where}: unknown field "${unknown}"; the fields are ${known?.join(", ")}`);
  }
  // What JSON.parse makes holds nothing but JSON.
  return value as { [key: string]: Json };
}

function strings(value: Json, where: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record(value, where)).map(([key, text]) => [key, string(text, `${where}.${key}`)]),
  );
}

function string(value: Json, where: string): string {
  if (typeof value !== "string") throw new Error(`${where}: expected a string`);
  return value;
}

function boolean(value: Json, where: string): boolean {
  if (typeof value !== "boolean") throw new Error(`${where}: expected true or false`);
  return value;
}
