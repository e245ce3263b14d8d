// A person's word on an item that the policy asks about: allow, deny, correct the input, or allow the operation for the
// rest of the session (semantics.md, 'Plan/apply gate').
import { clone } from "@bufbuild/protobuf";
import { ToolError } from "@pluggableharness/protocol";
import { PlanDecision, PlanItemSchema } from "@pluggableharness/protocol/wire";
import { allowanceOf } from "./plan.ts";
import type { JsonObject, PlanItem, PlannedCall, PlannedItem, TurnCall } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a person answers. */
export type Approval =
  | { readonly kind: "allow" }
  /** Allows every later call of this operation in this session, whatever its arguments. */
  | { readonly kind: "allow_for_session" }
  | { readonly kind: "deny"; readonly reason?: string | undefined }
  /** The call with other arguments: they are checked, previewed, and asked about again. */
  | { readonly kind: "edit"; readonly input: JsonObject };

/** Shows an item to a person. `problem` says what was wrong with their last answer. */
export type Ask = (
  item: PlannedItem,
  context: { readonly signal: AbortSignal; readonly problem?: string },
) => Promise<Approval>;

export interface ApproveOptions {
  /** Without it nobody is attached. */
  readonly ask: Ask | undefined;
  /** Remembered; `allow_for_session` adds to them. */
  readonly allowances: Set<string>;
  /** Plans a corrected call. */
  readonly replan: (call: TurnCall) => Promise<PlannedCall>;
  readonly signal: AbortSignal;
}

/** The item once it is decided: allowed, perhaps with another input. Throws permission_denied where it is not. */
export async function approve(planned: PlannedItem, options: ApproveOptions): Promise<PlannedItem> {
  const { ask, allowances, replan, signal } = options;
  const { decision, decidedBy } = planned.item;
  if (decision === PlanDecision.ALLOW) return planned;
  if (decision !== PlanDecision.ASK) throw denied(planned, `the policy "${decidedBy}" denies it`);
  let current = planned;
  let problem: string | undefined;
  for (;;) {
    // Perhaps since a moment ago, by the answer about the item before.
    if (allowances.has(allowanceOf(current.operation))) return allowed(current, "session");
    if (ask === undefined) throw denied(current, "it needs a person's approval, and nobody is attached");
    const context = { signal, ...(problem !== undefined && { problem }) };
    const approval = await untilAborted(ask(current, context), signal);
    problem = undefined;
    switch (approval.kind) {
      case "allow":
        return allowed(current, "person");
      case "allow_for_session":
        allowances.add(allowanceOf(current.operation));
        return allowed(current, "person");
      case "deny":
        throw denied(current, inWords("the person denied it", approval.reason));
      case "edit": {
        const edited = await replan({ ...current.call, arguments: approval.input });
        if (edited.status === "refused") problem = edited.error.message;
        else current = { ...edited, item: changed(edited.item, { id: planned.item.id }) };
      }
    }
  }
}

/** A refusal with its reason, where there is one. */
export function inWords(what: string, reason: string | undefined): string {
  return reason === undefined || reason === "" ? what : `${what}: ${reason}`;
}

/** The refusal of a call, as text for a model. */
export function denied({ operation }: PlannedItem, why: string): ToolError<"permission_denied"> {
  return new ToolError("permission_denied", `${operation.provider}.${operation.name} was not done: ${why}`);
}

function allowed(planned: PlannedItem, decidedBy: string): PlannedItem {
  return { ...planned, item: changed(planned.item, { decision: PlanDecision.ALLOW, decidedBy }) };
}

function changed(
  item: PlanItem,
  changes: Partial<Pick<PlanItem, "id" | "decision" | "decidedBy">>,
): PlanItem {
  return Object.assign(clone(PlanItemSchema, item), changes);
}
