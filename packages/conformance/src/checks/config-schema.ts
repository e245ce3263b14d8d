// What GetSchema says of the configuration (semantics.md, 'agent.hcl').
import { AttrType } from "@pluggableharness/protocol/wire";
import { type Check, passUnless } from "../check.ts";
import type { ConfigAttribute } from "../kernel-config.ts";

const SOURCE = "semantics.md, 'agent.hcl, as far as a host needs it'";

interface Placed {
  readonly attribute: ConfigAttribute;
  readonly path: string;
  readonly siblings: readonly ConfigAttribute[];
}

/** Every attribute, nested ones too. */
function* placed(attributes: readonly ConfigAttribute[], prefix = ""): Generator<Placed> {
  for (const attribute of attributes) {
    const path = prefix + attribute.name;
    yield { attribute, path, siblings: attributes };
    yield* placed(attribute.objectAttributes, `${path}.`);
  }
}

function ofEachAttribute(id: string, rule: string, problem: (placed: Placed) => string | undefined): Check {
  return {
    id,
    rule,
    source: SOURCE,
    run: async (trial) => {
      const all = [...placed((await trial.schema()).configSchema?.attributes ?? [])];
      const problems = all.flatMap((one) => {
        const wrong = problem(one);
        return wrong === undefined ? [] : [`${one.path || "an attribute without a name"} ${wrong}`];
      });
      return passUnless(problems, `holds of ${all.length} attributes`);
    },
  };
}

function fits(value: unknown, type: AttrType): boolean {
  const isList = (of: string): boolean => Array.isArray(value) && value.every((item) => typeof item === of);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  switch (type) {
    case AttrType.STRING:
      return typeof value === "string";
    case AttrType.NUMBER:
      return typeof value === "number";
    case AttrType.BOOL:
      return typeof value === "boolean";
    case AttrType.LIST_STRING:
      return isList("string");
    case AttrType.LIST_NUMBER:
      return isList("number");
    case AttrType.MAP_STRING:
      return isObject && Object.values(value).every((item) => typeof item === "string");
    default:
      return isObject;
  }
}

function defaultProblem({ defaultJson, type }: ConfigAttribute): string | undefined {
  if (defaultJson === undefined) return undefined;
  try {
    return fits(JSON.parse(defaultJson), type) ? undefined : `has a default of another type: ${defaultJson}`;
  } catch {
    return `has a default that is no JSON: ${defaultJson}`;
  }
}

export const configSchemaChecks: readonly Check[] = [
  ofEachAttribute(
    "config-schema.names",
    "Attributes of the configuration have names that HCL can write, each once.",
    ({ attribute: { name }, siblings }) =>
      /^[A-Za-z_][\w-]*$/.test(name) && siblings.filter((other) => other.name === name).length === 1
        ? undefined
        : "cannot be written, or is there twice",
  ),
  ofEachAttribute(
    "config-schema.types",
    "Attributes of the configuration have a known type.",
    ({ attribute: { type } }) =>
      type >= AttrType.STRING && type <= AttrType.OBJECT ? undefined : `has the type ${type}`,
  ),
  ofEachAttribute(
    "config-schema.objects",
    "Objects have attributes, and nothing else has.",
    ({ attribute: { type, objectAttributes } }) =>
      (type === AttrType.OBJECT) === objectAttributes.length > 0 ? undefined : "does not fit that",
  ),
  ofEachAttribute("config-schema.defaults", "A default is JSON of the attribute's type.", ({ attribute }) =>
    defaultProblem(attribute),
  ),
  ofEachAttribute(
    "config-schema.sensitive-default",
    "A sensitive attribute has no default.",
    ({ attribute: { sensitive, defaultJson } }) =>
      sensitive && defaultJson !== undefined ? "has one" : undefined,
  ),
];
