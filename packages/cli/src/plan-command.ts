// `harness plan <agent.hcl> <calls.json>`: what would become of a turn's calls, without doing any.
import { toJson } from "@bufbuild/protobuf";
import type { Agent, Operation, PlannedCall, RefusedCall, TurnCall } from "@pluggableharness/host";
import { ToolError, visibleText } from "@pluggableharness/protocol";
import { PlanItemSchema } from "@pluggableharness/protocol/wire";
import { type FileCall, readCalls } from "./calls-file.ts";
import { findOperation } from "./find-operation.ts";
import { type AgentFileOptions, openAgent } from "./open-agent.ts";
import { plannedText } from "./planned-text.ts";
import { say } from "./screen.ts";

export interface PlanCommandOptions extends AgentFileOptions {
  readonly json?: boolean;
}

/** Prints the plan. The result is the exit code: 1 where a call cannot be planned. */
export async function planCommand(
  agentFile: string,
  callsFile: string,
  options: PlanCommandOptions,
  signal: AbortSignal,
): Promise<number> {
  const calls = readCalls(callsFile);
  await using agent = await openAgent(agentFile, options);
  const plan = await planOf(agent, calls, signal);
  for (const [index, planned] of plan.entries()) {
    if (options.json === true) say(JSON.stringify(jsonOf(planned)));
    else say(`${index > 0 ? "\n" : ""}${index + 1}. ${plannedText(planned)}`);
  }
  return plan.some(({ status }) => status === "refused") ? 1 : 0;
}

async function planOf(
  agent: Agent,
  calls: readonly FileCall[],
  signal: AbortSignal,
): Promise<readonly PlannedCall[]> {
  const { operations, failures } = await agent.operations({ signal });
  for (const { error } of failures)
    process.stderr.write(`${visibleText(`${error.category}: ${error.message}`)}\n`);
  const named = calls.map((call) => nameProvider(call, operations));
  const turn = named.flatMap((each) => ("status" in each ? [] : [each]));
  const plan = await agent.plan(turn, { signal, previewAll: true });
  const byCall = new Map(plan.calls.map((planned) => [planned.call, planned]));
  return named.flatMap((each) => ("status" in each ? each : (byCall.get(each) ?? [])));
}

/** The call of a turn, or why there is none. */
function nameProvider(
  { id, provider, toolName, arguments: args }: FileCall,
  operations: readonly Operation[],
): TurnCall | RefusedCall {
  const call = { id, provider: provider ?? "", operation: toolName, arguments: args };
  if (provider !== undefined) return call;
  try {
    return { ...call, provider: findOperation(operations, toolName).provider };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { status: "refused", call, error: new ToolError("not_found", why, { cause }) };
  }
}

function jsonOf(planned: PlannedCall): unknown {
  if (planned.status === "planned") {
    // What is undefined, JSON leaves out.
    const { warning, noPreview: no_preview } = planned;
    return { item: toJson(PlanItemSchema, planned.item), warning, no_preview };
  }
  const { id: tool_call_id, operation: tool_name } = planned.call;
  const { category, message } = planned.error;
  return { tool_call_id, tool_name, error: { category, message } };
}
