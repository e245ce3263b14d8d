// One operation of a plugin as the host uses it: the wire's ToolSchema, checked and with its schemas ready for
// validation (tool-protocol.txt, 'GetSchema'). Pure.
import type { MessageShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { SchemaNode } from "@pluggableharness/protocol";
import {
  RiskClass,
  type SchemaSchema,
  ToolKind,
  type ToolSchemaSchema,
} from "@pluggableharness/protocol/wire";
import type { ConcurrencyRule } from "./call-lock.ts";
import type { CallKind, CallRisk } from "./policy.ts";
import { schemaNodeOf } from "./schema-node.ts";

/** An operation that can be called. */
export interface Operation {
  /** The local name of the provider it belongs to. */
  readonly provider: string;
  readonly name: string;
  readonly kind: CallKind;
  readonly risk: CallRisk;
  readonly description: string;
  readonly input: SchemaNode;
  readonly output: SchemaNode;
  /** Without one a call of it has the provider for itself. */
  readonly concurrency: ConcurrencyRule | undefined;
  readonly defaultTimeoutMs: number | undefined;
  /** A failed call of it may be made again: it reads only, or twice is as good as once. */
  readonly mayRepeat: boolean;
  readonly terminatesTurn: boolean;
}

/** The wire's number of each kind. */
export const wireKinds: Readonly<Record<CallKind, ToolKind>> = {
  resource: ToolKind.RESOURCE,
  data_source: ToolKind.DATA_SOURCE,
  interactive: ToolKind.INTERACTIVE,
};
/** The wire's number of each risk. */
export const wireRisks: Readonly<Record<CallRisk, RiskClass>> = {
  read_only: RiskClass.READ_ONLY,
  low: RiskClass.LOW,
  moderate: RiskClass.MODERATE,
  high: RiskClass.HIGH,
  critical: RiskClass.CRITICAL,
};

/** The operation of a schema. Throws where it lacks what it must have, or where kind and risk contradict each other. */
export function operationOf(provider: string, tool: MessageShape<typeof ToolSchemaSchema>): Operation {
  const { name, description, concurrency, defaultTimeout, idempotent, terminatesTurn } = tool;
  const fail = (why: string): never => {
    throw new Error(`its operation ${JSON.stringify(name)} ${why}`);
  };
  const kind = nameOf(wireKinds, tool.kind) ?? fail("has no kind");
  const risk = nameOf(wireRisks, tool.risk) ?? fail("has no risk");
  // A policy that allows what only reads must be able to rely on it.
  if ((risk === "read_only") !== (kind !== "resource")) fail(`is a ${kind} with the risk ${risk}`);
  const node = (schema: MessageShape<typeof SchemaSchema> | undefined, what: string): SchemaNode => {
    if (schema === undefined) return fail(`has no ${what}`);
    try {
      return schemaNodeOf(schema);
    } catch (error) {
      return fail(`has an ${what} that is none: ${error instanceof Error ? error.message : error}`);
    }
  };
  return {
    provider,
    name,
    kind,
    risk,
    description,
    input: node(tool.inputSchema, "input_schema"),
    output: node(tool.outputSchema, "output_schema"),
    concurrency,
    defaultTimeoutMs: defaultTimeout === undefined ? undefined : durationMs(defaultTimeout),
    mayRepeat: kind === "data_source" || (kind === "resource" && idempotent),
    terminatesTurn: kind === "resource" && terminatesTurn,
  };
}

function nameOf<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
  wire: number,
): Name | undefined {
  for (const name in numbers) if (numbers[name] === wire) return name;
  return undefined;
}

/** The operations of a plugin, by name. Throws as `operationOf` does, and where two have one name. */
export function operationsOf(
  provider: string,
  tools: readonly MessageShape<typeof ToolSchemaSchema>[],
): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const tool of tools) {
    if (operations.has(tool.name)) throw new Error(`it has two operations ${JSON.stringify(tool.name)}`);
    operations.set(tool.name, operationOf(provider, tool));
  }
  return operations;
}
