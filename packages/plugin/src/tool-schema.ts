// A tool's declaration as the kernel reads it in GetSchema (tool-protocol.txt, 'GetSchema').
import type { MessageInitShape } from "@bufbuild/protobuf";
import { RiskClass, ToolKind, type ToolSchemaSchema } from "@pluggableharness/protocol/wire";
import type { Tool } from "./define-plugin.ts";
import { wireSchema } from "./wire-schema.ts";

const kinds = {
  resource: ToolKind.RESOURCE,
  data_source: ToolKind.DATA_SOURCE,
  interactive: ToolKind.INTERACTIVE,
} as const;

const risks = {
  low: RiskClass.LOW,
  moderate: RiskClass.MODERATE,
  high: RiskClass.HIGH,
  critical: RiskClass.CRITICAL,
} as const;

/** The wire's ToolSchema of a tool. */
export function toolSchema<State>(tool: Tool<State>): MessageInitShape<typeof ToolSchemaSchema> {
  const { gate } = tool;
  return {
    name: tool.name,
    kind: kinds[gate.kind],
    risk: gate.kind === "resource" ? risks[gate.risk] : RiskClass.READ_ONLY,
    description: tool.description,
    inputSchema: wireSchema(tool.input),
    outputSchema: wireSchema(tool.output),
    streaming: tool.streaming,
    idempotent: tool.idempotent,
    terminatesTurn: gate.kind === "resource" && gate.terminatesTurn === true,
    ...(gate.kind === "interactive" ? {} : { concurrency: concurrency(gate.concurrency) }),
    ...(tool.timeoutMs === undefined ? {} : { defaultTimeout: duration(tool.timeoutMs) }),
  };
}

type Scheduled = Exclude<Tool<unknown>["gate"], { kind: "interactive" }>["concurrency"];

function concurrency(spec: Scheduled): { safe: boolean; keyFields: string[] } {
  return spec.safe ? { safe: true, keyFields: [...(spec.keyFields ?? [])] } : { safe: false, keyFields: [] };
}

function duration(ms: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Math.round((ms % 1000) * 1e6) };
}
