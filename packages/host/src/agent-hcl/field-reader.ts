// Reads the attributes of a body, each with the type that belongs there; what does not fit is noted with its place, so
// that all of a file's mistakes are told at once.
import type { Json } from "@pluggableharness/protocol";
import { unknownName } from "./closest-name.ts";
import { type Body, type HclDocument, isObject } from "./hcl-document.ts";
import { literalOf } from "./literal.ts";

/** The body of a block, or an object, of an operator's file. */
export class FieldReader {
  readonly #document: HclDocument;
  readonly #body: Body;
  /** Of the block, for what is missing. */
  readonly #offset: number;

  constructor(document: HclDocument, body: Body, offset: number) {
    this.#document = document;
    this.#body = body;
    this.#offset = offset;
  }

  /** Notes every attribute and block that is not among these. */
  only(known: readonly string[]): this {
    const { attributes, blocks } = this.#body.outline;
    for (const { name, offset } of attributes)
      if (!known.includes(name)) this.#document.problem(offset, unknownName("attribute", name, known));
    for (const { type, offset } of blocks)
      this.#document.problem(offset, `a block "${type}" has no place here`);
    return this;
  }

  has(name: string): boolean {
    return this.#body.values[name] !== undefined;
  }

  /** A value that is written out; undefined where it is absent or computed. */
  value(name: string): Json | undefined {
    const given = this.#body.values[name];
    if (given === undefined) return undefined;
    const literal = literalOf(given);
    if (literal.kind === "value") return literal.value;
    this.problem(name, `${name} is computed, which is not possible here; write the value itself`);
    return undefined;
  }

  string(name: string): string | undefined {
    return this.#typed(name, "a string", (value) => (typeof value === "string" ? value : undefined));
  }

  strings(name: string): string[] | undefined {
    return this.#typed(name, "a list of strings", (value) =>
      Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined,
    );
  }

  /** One of certain words. */
  word<const W extends string>(name: string, words: readonly W[]): W | undefined {
    const given = this.string(name);
    const found = words.find((word) => word === given);
    if (given !== undefined && found === undefined)
      this.problem(name, `${name} is ${JSON.stringify(given)}; it is one of ${words.join(", ")}`);
    return found;
  }

  /** The fields of an object. */
  object(name: string): FieldReader | undefined {
    const attribute = this.#body.outline.attributes.find((one) => one.name === name);
    const given = this.#body.values[name];
    if (given === undefined) return undefined;
    if (attribute !== undefined && isObject(given))
      return new FieldReader(this.#document, { values: given, outline: attribute.inner }, attribute.offset);
    this.problem(name, `${name} must be an object, { … }`);
    return undefined;
  }

  /** Notes that something is missing. */
  require(name: string): void {
    if (!this.has(name)) this.#document.problem(this.#offset, `${name} is missing`);
  }

  /** Notes a problem of an attribute. */
  problem(name: string, message: string): void {
    this.#document.problem(this.#document.offsetOf(this.#body, name, this.#offset), message);
  }

  /** Every attribute that is written out. */
  all(): { [name: string]: Json } {
    const entries = Object.keys(this.#body.values).map((name) => [name, this.value(name)] as const);
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  #typed<T>(name: string, what: string, read: (value: Json) => T | undefined): T | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const typed = read(value);
    if (typed === undefined) this.problem(name, `${name} must be ${what}`);
    return typed;
  }
}
