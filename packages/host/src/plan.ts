// From the calls of a turn to its plan: find the operation, check the arguments, ask the policy, and snapshot what a
// person needs to know, the preview first (semantics.md, 'Plan/apply gate').
import { create } from "@bufbuild/protobuf";
import { isToolError, ToolError } from "@pluggableharness/protocol";
import { PlanDecision, PlanItemSchema } from "@pluggableharness/protocol/wire";
import { type CallPlace, checkArguments } from "./call-operation.ts";
import { createUlids } from "./kernel/ulid.ts";
import { type Operation, wireKinds, wireRisks } from "./operation.ts";
import type { Decision, Policy, PolicyAction } from "./policy.ts";
import type { Provider, ReadyPlugin } from "./provider.ts";
import type { PlannedCall, TurnCall } from "./turn.ts";
import { asToolError } from "./until-aborted.ts";

/** What plans are made with. */
export interface Planner {
  /** By their local names. */
  readonly providers: ReadonlyMap<
    string,
    Pick<Provider, "lock" | "invoke" | "preview"> & {
      ready(signal: AbortSignal): Promise<Pick<ReadyPlugin, "operations">>;
    }
  >;
  readonly policy: Policy;
  /** Whether the profile of the session offers the operation. */
  readonly offers: (provider: string, operation: string) => boolean;
  /** Operations that a person has allowed for the rest of the session, as `allowanceOf` names them. */
  readonly allowances: ReadonlySet<string>;
  /** How long a preview may take; 5 s by default. */
  readonly previewTimeoutMs?: number;
}

export interface PlanOptions {
  readonly signal: AbortSignal;
  /** Preview calls that only read too, for a person who wants to see. */
  readonly previewAll?: boolean | undefined;
}

const PREVIEW_MS = 5_000;
const decisions: Readonly<Record<PolicyAction, PlanDecision>> = {
  allow: PlanDecision.ALLOW,
  ask: PlanDecision.ASK,
  deny: PlanDecision.DENY,
};
const nextId = createUlids();

/** Plans one call. Throws only where the signal fires. */
export async function planCall(
  planner: Planner,
  call: TurnCall,
  place: CallPlace,
  options: PlanOptions,
): Promise<PlannedCall> {
  const { signal } = options;
  try {
    const { provider, operation } = await findOperation(planner, call, signal);
    checkArguments(operation, call.arguments);
    const { action, decidedBy, warning } = decide(planner, operation);
    const { preview, noPreview } =
      operation.kind === "data_source" && options.previewAll !== true
        ? {}
        : await previewOf(planner, provider, call, place, signal);
    return {
      status: "planned",
      call,
      provider,
      operation,
      ...(warning !== undefined && { warning }),
      ...(noPreview !== undefined && { noPreview }),
      item: create(PlanItemSchema, {
        id: nextId(),
        toolCallId: call.id,
        provider: call.provider,
        toolName: call.operation,
        input: call.arguments,
        decision: decisions[action],
        decidedBy,
        kind: wireKinds[operation.kind],
        risk: wireRisks[operation.risk],
        description: operation.description,
        ...(preview !== undefined && { preview }),
      }),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "refused", call, error: asToolError(error, signal) };
  }
}

/** How an operation is named among the allowances: its arguments do not count. */
export function allowanceOf({ provider, name }: Operation): string {
  return JSON.stringify([provider, name]);
}

function decide({ policy, allowances }: Planner, operation: Operation): Decision {
  const { kind, risk, provider, name: toolName } = operation;
  const decision = policy.decide({ kind, risk, provider, toolName });
  return decision.action === "ask" && allowances.has(allowanceOf(operation))
    ? { action: "allow", decidedBy: "session" }
    : decision;
}

async function findOperation({ providers, offers }: Planner, call: TurnCall, signal: AbortSignal) {
  const provider = providers.get(call.provider);
  if (provider === undefined) throw unknownName("provider", call.provider, [...providers.keys()]);
  const { operations } = await provider.ready(signal);
  const names = [...operations.keys()].filter((name) => offers(call.provider, name));
  const operation = names.includes(call.operation) ? operations.get(call.operation) : undefined;
  if (operation === undefined) throw unknownName("operation", call.operation, names);
  return { provider, operation };
}

function unknownName(what: string, name: string, known: readonly string[]): ToolError {
  const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
  return new ToolError("not_found", `there is no ${what} ${JSON.stringify(name)}; ${there}`);
}

/** A preview that fails, or takes too long, is none. */
async function previewOf(
  { previewTimeoutMs = PREVIEW_MS }: Planner,
  provider: Pick<Provider, "preview">,
  { id, operation, arguments: args }: TurnCall,
  place: CallPlace,
  signal: AbortSignal,
) {
  const call = { id, toolName: operation, arguments: args, callContext: place };
  try {
    return { preview: await provider.preview(call, { signal, timeoutMs: previewTimeoutMs }) };
  } catch (error) {
    signal.throwIfAborted();
    return { noPreview: isToolError(error) ? `${error.category}: ${error.message}` : String(error) };
  }
}
