// The schema builder: describes inputs, outputs and configuration once, gives the TypeScript type by
// inference and the wire's small JSON-Schema subset by construction (semantics.md, 'Schemas'). What the
// wire cannot say (whole numbers, ranges) is checked here and told to the model in the description.

declare const valueType: unique symbol;

interface Described {
  readonly description: string;
  /** JSON text applied when the value is absent; configuration only. */
  readonly defaultJson?: string;
  /** The value is a secret; configuration only. */
  readonly sensitive?: boolean;
}

/** One node of a schema, as plain data. */
export type SchemaNode =
  | (Described & { readonly type: "string"; readonly enumValues?: readonly string[] })
  | (Described & {
      readonly type: "number";
      readonly integer?: boolean;
      readonly min?: number;
      readonly max?: number;
    })
  | (Described & { readonly type: "boolean" })
  | (Described & { readonly type: "array"; readonly items: SchemaNode })
  | (Described & { readonly type: "map" })
  | ObjectNode;

/** An object node; `map` (string to string) exists only in configuration. */
export type ObjectNode = Described & {
  readonly type: "object";
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: readonly string[];
};

/** A schema whose values have the TypeScript type T. */
export interface Schema<T, N extends SchemaNode = SchemaNode> {
  readonly node: N;
  readonly optional: boolean;
  readonly [valueType]?: T;
}

/** A property that may be left out. It is left out, never null. */
export interface OptionalSchema<T> extends Schema<T> {
  readonly optional: true;
}

export type ObjectSchema<T> = Schema<T, ObjectNode>;

/** The TypeScript type of a schema's values. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Properties = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<P> = { [K in keyof P]: P[K] extends OptionalSchema<unknown> ? K : never }[keyof P];
type Flatten<T> = { [K in keyof T]: T[K] };
type InferObject<P extends Properties> = Flatten<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Infer<P[K]> } & { [K in OptionalKeys<P>]?: Infer<P[K]> }
>;

interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

function required<T, N extends SchemaNode>(node: N): Schema<T, N> {
  return { node, optional: false };
}

function rangeInWords(kind: string, { min, max }: NumberRange): string {
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind}, at least ${min}`;
  return max === undefined ? kind : `${kind}, at most ${max}`;
}

/** Builders, one per kind of value. */
export const s = {
  string: (description: string): Schema<string> => required({ type: "string", description }),

  /** One of the given words. */
  enum: <const V extends readonly [string, ...string[]]>(values: V, description: string): Schema<V[number]> =>
    required({ type: "string", description, enumValues: values }),

  /** Exactly this word; every output names its operation this way. */
  literal: <const V extends string>(value: V, description = ""): Schema<V> =>
    required({ type: "string", description, enumValues: [value] }),

  number: (description: string): Schema<number> => required({ type: "number", description }),

  /** A whole number within a range; the range is appended to the description, since the wire has no place for it. */
  integer: (description: string, range: NumberRange = {}): Schema<number> =>
    required({
      type: "number",
      description: `${description} (${rangeInWords("whole number", range)})`,
      integer: true,
      ...range,
    }),

  boolean: (description: string): Schema<boolean> => required({ type: "boolean", description }),

  array: <T>(items: Schema<T>, description = ""): Schema<T[]> =>
    required({ type: "array", description, items: items.node }),

  object: <P extends Properties>(properties: P, description = ""): ObjectSchema<InferObject<P>> =>
    required({
      type: "object",
      description,
      properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.node])),
      required: Object.entries(properties).flatMap(([name, schema]) => (schema.optional ? [] : [name])),
    }),

  /** String to string; configuration only (`ATTR_TYPE_MAP_STRING`). */
  map: (description: string): Schema<Record<string, string>> => required({ type: "map", description }),

  /** May be left out. */
  optional: <T>(schema: Schema<T>): OptionalSchema<T> => ({ node: schema.node, optional: true }),

  /** May be left out in agent.hcl and then has this value; configuration only. */
  default: <T>(schema: Schema<T>, value: T): Schema<T> => ({
    node: { ...schema.node, defaultJson: JSON.stringify(value) },
    optional: false,
  }),

  /** A string that must not be shown: written `env("NAME")` in agent.hcl; configuration only. */
  secret: (description: string): Schema<string> => required({ type: "string", description, sensitive: true }),
};
