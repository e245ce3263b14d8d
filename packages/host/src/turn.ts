// The calls of one turn, before and after the plan/apply gate: what a model asks for, what the policy makes of it, and
// what came of it (semantics.md, 'Plan/apply gate').
import { create, type MessageShape } from "@bufbuild/protobuf";
import type { Json, ToolError } from "@pluggableharness/protocol";
import {
  ApplyResult_ApplyOutcome,
  ApplyResultSchema,
  PlanDecision,
  type PlanItemSchema,
  PlanSchema,
} from "@pluggableharness/protocol/wire";
import type { Operation } from "./operation.ts";
import type { Provider } from "./provider.ts";
import { toolErrorToWire } from "./wire-tool-error.ts";

/** A JSON object. */
export type JsonObject = { [key: string]: Json };
/** What the gate knows of a call: kind, risk and description as they were, its preview, and the decision. */
export type PlanItem = MessageShape<typeof PlanItemSchema>;

/** A call as a model makes it. */
export interface TurnCall {
  /** The model's own id of the call. */
  readonly id: string;
  /** The local name of the provider. */
  readonly provider: string;
  readonly operation: string;
  readonly arguments: JsonObject;
}

/** A call that can be made, if it is allowed. */
export interface PlannedItem {
  readonly status: "planned";
  readonly call: TurnCall;
  readonly provider: Pick<Provider, "lock" | "invoke">;
  readonly operation: Operation;
  readonly item: PlanItem;
  /** Why the item has no preview, where one was asked for and failed. */
  readonly noPreview?: string;
  /** What the operator should know about the decision. */
  readonly warning?: string;
}

/** A call that cannot be made: nobody of that name, or arguments that do not fit. */
export interface RefusedCall {
  readonly status: "refused";
  readonly call: TurnCall;
  readonly error: ToolError;
}

export type PlannedCall = PlannedItem | RefusedCall;

/** The calls of a turn, in their order. */
export interface TurnPlan {
  readonly turnId: string;
  readonly calls: readonly PlannedCall[];
}

/** What came of a call. */
export type CallOutcome =
  | { readonly outcome: "applied"; readonly planned: PlannedItem; readonly payload: JsonObject }
  | {
      /** `denied` by policy or person, `skipped` where it was never sent, else `failed`. */
      readonly outcome: "failed" | "denied" | "skipped";
      readonly planned: PlannedCall;
      readonly error: ToolError;
    };

/** What came of a turn; outcomes are in the order of its calls. */
export interface TurnOutcome {
  readonly turnId: string;
  readonly outcomes: readonly CallOutcome[];
  /** An operation that ends the turn was applied. */
  readonly endsTurn: boolean;
}

/** The plan as the wire's message, which holds the resource calls only. */
export function planMessage({ turnId, calls }: TurnPlan): MessageShape<typeof PlanSchema> {
  return create(PlanSchema, {
    turnId,
    items: calls.flatMap((planned) => (isResource(planned) ? [planned.item] : [])),
  });
}

const wireOutcomes = {
  applied: ApplyResult_ApplyOutcome.APPLIED,
  failed: ApplyResult_ApplyOutcome.FAILED,
  denied: ApplyResult_ApplyOutcome.DENIED,
  skipped: ApplyResult_ApplyOutcome.SKIPPED,
} as const;

/** What came of the resource calls, as the wire's message. */
export function applyMessage({ turnId, outcomes }: TurnOutcome): MessageShape<typeof ApplyResultSchema> {
  return create(ApplyResultSchema, {
    turnId,
    items: outcomes.flatMap((done) => {
      if (!isResource(done.planned)) return [];
      const { id: planItemId, toolCallId } = done.planned.item;
      const result =
        done.outcome === "applied"
          ? ({ case: "toolResult", value: { payload: done.payload } } as const)
          : ({ case: "toolError", value: toolErrorToWire(done.error) } as const);
      return [{ planItemId, toolCallId, outcome: wireOutcomes[done.outcome], result }];
    }),
  });
}

/** The policy's word for a decision. */
export function decisionName(decision: PlanDecision): "pending" | "allow" | "ask" | "deny" {
  switch (decision) {
    case PlanDecision.ALLOW:
      return "allow";
    case PlanDecision.ASK:
      return "ask";
    case PlanDecision.DENY:
      return "deny";
    default:
      return "pending";
  }
}

function isResource(planned: PlannedCall): planned is PlannedItem {
  return planned.status === "planned" && planned.operation.kind === "resource";
}
