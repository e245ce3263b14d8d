// The body of a `provider` block as the configuration its plugin is sent: read against the plugin's own ConfigSchema,
// with defaults and zero values, and secrets from the environment (semantics.md, 'agent.hcl').
import type { Json } from "@pluggableharness/protocol";
import { AttrType, type ConfigSchema } from "@pluggableharness/protocol/wire";
import { absentValue, type ConfigAttribute, sensitiveDefaults } from "./absent-value.ts";
import type { ProviderBlock } from "./agent-file.ts";
import { unknownName } from "./closest-name.ts";
import { type Body, type HclDocument, isObject } from "./hcl-document.ts";
import type { OutlineAttribute } from "./hcl-outline.ts";
import { literalOf } from "./literal.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ENV_CALL = /^env\s*\(\s*"([^"\\$%]+)"\s*\)$/;
const typeNames: Readonly<Record<number, string>> = {
  [AttrType.STRING]: "a string",
  [AttrType.NUMBER]: "a number",
  [AttrType.BOOL]: "true or false",
  [AttrType.LIST_STRING]: "a list of strings",
  [AttrType.LIST_NUMBER]: "a list of numbers",
  [AttrType.MAP_STRING]: "an object of strings",
  [AttrType.OBJECT]: "an object",
};

/**
 * The configuration of a provider. Throws an AgentFileError with everything that is wrong with the block, which never
 * repeats what was written for a sensitive attribute.
 */
export function decodeProviderBody(
  { document, body, offset }: ProviderBlock,
  schema: Pick<ConfigSchema, "attributes"> | undefined,
  environment: Environment,
): { [name: string]: Json } {
  const attributes = schema?.attributes ?? [];
  for (const name of sensitiveDefaults(attributes)) document.problem(offset, defaultedSecret(name));
  const config = new Decoder(document, environment).object(body, attributes, offset, false);
  document.check();
  return config;
}

/** The configuration of a provider without a block: defaults and zero values. Throws where something is required. */
export function absentProviderBody(
  name: string,
  schema: Pick<ConfigSchema, "attributes"> | undefined,
): { [name: string]: Json } {
  const attributes = schema?.attributes ?? [];
  const [defaulted] = sensitiveDefaults(attributes);
  if (defaulted !== undefined) throw new Error(`the provider "${name}": ${defaultedSecret(defaulted)}`);
  const missing = attributes.filter(({ required }) => required).map((attribute) => attribute.name);
  if (missing.length > 0)
    throw new Error(`there is no block provider "${name}", and it must say: ${missing.join(", ")}`);
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, absentValue(attribute)]));
}

function defaultedSecret(name: string): string {
  return `the plugin gives its sensitive attribute ${name} a default, which is not allowed`;
}

class Decoder {
  readonly #document: HclDocument;
  readonly #environment: Environment;

  constructor(document: HclDocument, environment: Environment) {
    this.#document = document;
    this.#environment = environment;
  }

  /** A body, or an object in it. `isSecret` where what it stands in is sensitive as a whole. */
  object(
    body: Body,
    attributes: readonly ConfigAttribute[],
    offset: number,
    isSecret: boolean,
  ): { [name: string]: Json } {
    const known = attributes.map(({ name }) => name);
    for (const { name, offset: place } of body.outline.attributes)
      if (!known.includes(name)) this.#document.problem(place, unknownName("attribute", name, known));
    for (const { type, labels, offset: place } of body.outline.blocks)
      if (!known.includes(type)) this.#document.problem(place, unknownName("block", type, known));
      else if (labels.length > 0) this.#document.problem(place, `the block "${type}" takes no label here`);
    return Object.fromEntries(
      attributes.map((attribute) => [attribute.name, this.#attribute(body, attribute, offset, isSecret)]),
    );
  }

  #attribute(body: Body, attribute: ConfigAttribute, offset: number, isSecret: boolean): Json {
    const { name, required, type } = attribute;
    const isSensitive = isSecret || attribute.sensitive;
    const written = body.outline.attributes.find((one) => one.name === name);
    const given = body.values[name];
    if (type === AttrType.OBJECT) return this.#nested(body, attribute, written, offset, isSensitive);
    if (written === undefined || given === undefined) {
      const block = body.outline.blocks.find((one) => one.type === name);
      if (block !== undefined)
        this.#document.problem(block.offset, `${name} is ${typeNames[type]}, and no block`);
      else if (required) this.#document.problem(offset, `${name} is missing; it is ${typeNames[type]}`);
      return absentValue(attribute);
    }
    return isSensitive ? this.#secret(written, attribute) : this.#plain(written, given, attribute);
  }

  /** An object, written as an attribute or as a block. */
  #nested(
    body: Body,
    attribute: ConfigAttribute,
    written: OutlineAttribute | undefined,
    offset: number,
    isSecret: boolean,
  ): Json {
    const { name, objectAttributes, required } = attribute;
    const given = body.values[name];
    const [block, second] = body.outline.blocks.filter(({ type }) => type === name);
    if (second !== undefined)
      this.#document.problem(second.offset, `there is another ${name} before this one`);
    if (block !== undefined) {
      const values = Array.isArray(given) && isObject(given[0]) ? given[0] : {};
      return this.object({ values, outline: block.body }, objectAttributes, block.offset, isSecret);
    }
    if (written !== undefined && isObject(given))
      return this.object(
        { values: given, outline: written.inner },
        objectAttributes,
        written.offset,
        isSecret,
      );
    if (written !== undefined) this.#document.problem(written.offset, `${name} must be an object, { … }`);
    else if (required) this.#document.problem(offset, `${name} is missing; it is an object`);
    return absentValue(attribute);
  }

  /** A sensitive value, which comes from the environment and from nowhere else. */
  #secret({ value, offset, name }: OutlineAttribute, { type }: ConfigAttribute): Json {
    const variable = ENV_CALL.exec(value)?.[1];
    if (variable === undefined) {
      this.#document.problem(
        offset,
        `${name} is sensitive: it can only be written env("NAME"), the name of an environment variable`,
      );
      return "";
    }
    if (type !== AttrType.STRING) {
      this.#document.problem(
        offset,
        `the plugin's sensitive attribute ${name} is ${typeNames[type]}; only a string can be`,
      );
      return "";
    }
    const secret = this.#environment[variable];
    if (secret === undefined)
      this.#document.problem(offset, `${name}: the environment variable ${variable} is not set`);
    return secret ?? "";
  }

  #plain({ offset, name }: OutlineAttribute, given: Json, attribute: ConfigAttribute): Json {
    const literal = literalOf(given);
    if (literal.kind === "template") {
      const isEnv = /\benv\s*\(/.test(literal.text);
      this.#document.problem(
        offset,
        isEnv
          ? `${name} is not sensitive: env("NAME") is for sensitive attributes; write the value itself`
          : `${name} is computed, which is not possible here; write the value itself`,
      );
    } else if (!fits(literal.value, attribute.type)) {
      this.#document.problem(
        offset,
        `${name} must be ${typeNames[attribute.type] ?? "of a known type"}, not ${inWords(literal.value)}`,
      );
    } else return literal.value;
    return absentValue(attribute);
  }
}

function fits(value: Json, type: AttrType): boolean {
  const isListOf = (of: "string" | "number"): boolean =>
    Array.isArray(value) &&
    value.every((item) => typeof item === of && item !== Infinity && item !== -Infinity);
  switch (type) {
    case AttrType.STRING:
      return typeof value === "string";
    case AttrType.NUMBER:
      return Number.isFinite(value);
    case AttrType.BOOL:
      return typeof value === "boolean";
    case AttrType.LIST_STRING:
      return isListOf("string");
    case AttrType.LIST_NUMBER:
      return isListOf("number");
    case AttrType.MAP_STRING:
      return isObject(value) && Object.values(value).every((item) => typeof item === "string");
    default:
      return false;
  }
}

function inWords(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list with something else in it";
  if (typeof value === "object") return "an object";
  if (typeof value === "number" && !Number.isFinite(value)) return "one that is too large";
  const text = JSON.stringify(value);
  return `${typeof value} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
