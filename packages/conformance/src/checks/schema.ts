// What GetSchema says of the operations (tool-protocol.txt, 'GetSchema'; semantics.md, 'Schemas' and 'Calls'). Most
// of these look at the one answer.

import type { MessageShape } from "@bufbuild/protobuf";
import { equals } from "@bufbuild/protobuf";
import {
  GetSchemaResponseSchema,
  RiskClass,
  type SchemaSchema,
  SchemaType,
  ToolKind,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { type Check, fail, pass, passUnless } from "../check.ts";
import { QUICK_MS, type ToolSchema } from "../connected-plugin.ts";

type WireSchema = MessageShape<typeof SchemaSchema>;

const SOURCE = "tool-protocol.txt, 'GetSchema'";
const SUBSET = "semantics.md, 'Schemas'";
const RESOURCE_RISKS: ReadonlySet<RiskClass> = new Set([
  RiskClass.LOW,
  RiskClass.MODERATE,
  RiskClass.HIGH,
  RiskClass.CRITICAL,
]);

/** A rule about every operation: what is wrong with one, or undefined. */
function ofEach(
  id: string,
  rule: string,
  source: string,
  problem: (tool: ToolSchema) => string | undefined,
): Check {
  return {
    id,
    rule,
    source,
    run: async (trial) => {
      const { tools } = await trial.schema();
      const problems = tools.flatMap((tool) => {
        const wrong = problem(tool);
        return wrong === undefined ? [] : [`${tool.name || "an operation without a name"} ${wrong}`];
      });
      return passUnless(problems, `holds of ${tools.length} operations`);
    },
  };
}

/** What is outside the subset, with its place. */
function subsetProblem(schema: WireSchema | undefined, place: string): string | undefined {
  if (schema === undefined) return undefined;
  switch (schema.type) {
    case SchemaType.OBJECT: {
      const stray = schema.required.find((name) => schema.properties[name] === undefined);
      if (stray !== undefined) return `requires "${stray}" in ${place}, which is no property`;
      for (const [name, property] of Object.entries(schema.properties)) {
        const wrong = subsetProblem(property, `${place}.${name}`);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    }
    case SchemaType.ARRAY:
      return schema.items === undefined
        ? `has no items in the array ${place}`
        : subsetProblem(schema.items, `${place}[]`);
    case SchemaType.STRING:
    case SchemaType.NUMBER:
    case SchemaType.BOOLEAN:
      if (schema.type !== SchemaType.STRING && schema.enumValues.length > 0)
        return `has enum_values on ${place}, which is no string`;
      return undefined;
    default:
      return `has no known type in ${place}`;
  }
}

function keyFieldProblem({ concurrency, inputSchema }: ToolSchema): string | undefined {
  const stray = concurrency?.keyFields.find((name) => inputSchema?.properties[name] === undefined);
  return stray === undefined ? undefined : `has the key field "${stray}", which is no property of its input`;
}

export const schemaChecks: readonly Check[] = [
  {
    id: "schema.before-configure",
    rule: "GetSchema is answered before Configure, at once.",
    source: SOURCE,
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const { tools } = await client.unary(ToolService.method.getSchema, {}, { timeoutMs: QUICK_MS });
      return tools.length > 0 ? pass(`${tools.length} operations`) : fail("it has no operations");
    },
  },
  {
    id: "schema.stable",
    rule: "GetSchema gives the same answer each time, also after Configure.",
    source: SOURCE,
    run: async (trial) => {
      const first = await trial.schema();
      const configured = await trial.configured.get();
      const others = [await configured.getSchema(), await configured.getSchema()];
      const same = others.every((schema) => equals(GetSchemaResponseSchema, first, schema));
      return same ? pass("three answers are the same") : fail("the answers differ");
    },
  },
  {
    id: "schema.unique-names",
    rule: "The names of operations are unique.",
    source: SOURCE,
    run: async (trial) => {
      const names = (await trial.schema()).tools.map(({ name }) => name);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      return passUnless(
        twice.map((name) => `"${name}" is there twice`),
        names.join(", "),
      );
    },
  },
  ofEach("schema.name", "An operation has a name of letters, digits, _ and -.", SOURCE, ({ name }) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(name) ? undefined : `has the name ${JSON.stringify(name)}`,
  ),
  ofEach("schema.kind", "An operation has a kind.", SOURCE, ({ kind }) =>
    [ToolKind.RESOURCE, ToolKind.DATA_SOURCE, ToolKind.INTERACTIVE].some((known) => known === kind)
      ? undefined
      : `has the kind ${kind}`,
  ),
  ofEach("schema.resource-risk", "A resource has a risk from low to critical.", SOURCE, ({ kind, risk }) =>
    kind !== ToolKind.RESOURCE || RESOURCE_RISKS.has(risk)
      ? undefined
      : `is a resource with the risk ${risk}`,
  ),
  ofEach("schema.read-only-risk", "What is no resource has the risk read_only.", SOURCE, ({ kind, risk }) =>
    kind === ToolKind.RESOURCE || risk === RiskClass.READ_ONLY
      ? undefined
      : `is no resource and has the risk ${risk}`,
  ),
  ofEach("schema.description", "An operation has a description.", SOURCE, ({ description }) =>
    description.trim() === "" ? "has none" : undefined,
  ),
  ofEach(
    "schema.input",
    "An operation has an input schema, which is an object.",
    SOURCE,
    ({ inputSchema }) => (inputSchema?.type === SchemaType.OBJECT ? undefined : "has none"),
  ),
  ofEach(
    "schema.output",
    "An operation has an output schema, which is an object.",
    SOURCE,
    ({ outputSchema }) => (outputSchema?.type === SchemaType.OBJECT ? undefined : "has none"),
  ),
  ofEach(
    "schema.input-subset",
    "Input schemas stay within the subset: known types, items of arrays, required properties that exist.",
    SUBSET,
    ({ inputSchema }) => subsetProblem(inputSchema, "its input"),
  ),
  ofEach(
    "schema.output-subset",
    "Output schemas stay within the subset: known types, items of arrays, required properties that exist.",
    SUBSET,
    ({ outputSchema }) => subsetProblem(outputSchema, "its output"),
  ),
  ofEach(
    "schema.concurrency",
    "An operation that is not interactive has a ConcurrencySpec.",
    SOURCE,
    ({ kind, concurrency }) =>
      kind === ToolKind.INTERACTIVE || concurrency !== undefined ? undefined : "has none",
  ),
  ofEach(
    "schema.interactive-concurrency",
    "An interactive operation has no ConcurrencySpec.",
    SOURCE,
    ({ kind, concurrency }) =>
      kind !== ToolKind.INTERACTIVE || concurrency === undefined ? undefined : "has one",
  ),
  ofEach(
    "schema.key-fields",
    "The key fields of a ConcurrencySpec are properties of the input.",
    SOURCE,
    keyFieldProblem,
  ),
  ofEach(
    "schema.terminates-turn",
    "Only a resource terminates the turn.",
    SOURCE,
    ({ kind, terminatesTurn }) =>
      !terminatesTurn || kind === ToolKind.RESOURCE ? undefined : "terminates the turn and is no resource",
  ),
  ofEach(
    "schema.default-timeout",
    "A default timeout is longer than nothing.",
    SOURCE,
    ({ defaultTimeout }) =>
      defaultTimeout === undefined || defaultTimeout.seconds > 0n || defaultTimeout.nanos > 0
        ? undefined
        : "has one of nothing",
  ),
  {
    id: "schema.prompt-expansions",
    rule: "Slash commands of GetSchema have a name of their own and a template.",
    source: SOURCE,
    run: async (trial) => {
      const { slashCommands } = await trial.schema();
      if (slashCommands.length === 0) return pass("there are none");
      const names = slashCommands.map(({ name }) => name);
      return passUnless(
        slashCommands.flatMap(({ name, template }, index) => [
          ...(name.trim() === "" || names.indexOf(name) !== index
            ? [`the name ${JSON.stringify(name)} is empty or there twice`]
            : []),
          ...(template.trim() === "" ? [`${name} has no template`] : []),
        ]),
        names.join(", "),
      );
    },
  },
  {
    id: "schema.hook-points",
    rule: "supported_hook_points are known and each there once.",
    source: SOURCE,
    run: async (trial) => {
      const points = (await trial.schema()).supportedHookPoints;
      const wrong = points.filter(
        (point, index) => point < 1 || point > 8 || points.indexOf(point) !== index,
      );
      return passUnless(
        wrong.map((point) => `${point} is unknown or there twice`),
        points.length === 0 ? "there are none" : points.join(", "),
      );
    },
  },
];
