// A turn in the session's event log, as the kernel keeps it: its calls and plan when they are made, what came of them
// when it is over (wire.md, event.v1). What is stored of a result is what Render takes later.
import { create, toBinary } from "@bufbuild/protobuf";
import {
  ApplyResultSchema,
  EventKind,
  PlanSchema,
  ToolCallEventSchema,
  ToolResultEventSchema,
} from "@pluggableharness/protocol/wire";
import type { CallPlace } from "./call-operation.ts";
import type { EventLog } from "./kernel/event-log.ts";
import { applyMessage, type CallOutcome, planMessage, type TurnOutcome, type TurnPlan } from "./turn.ts";
import { toolErrorToWire } from "./wire-tool-error.ts";

/** The version of the kernel's own payloads. */
export const SCHEMA_VERSION = "1";

/** Appends the calls of a plan, and the plan where it has items. */
export function recordPlan(events: EventLog, plan: TurnPlan, callContext: CallPlace): void {
  for (const { call } of plan.calls) {
    const { id, operation: toolName, arguments: args } = call;
    const event = create(ToolCallEventSchema, { call: { id, toolName, arguments: args, callContext } });
    append(events, EventKind.TOOL_CALL, toBinary(ToolCallEventSchema, event));
  }
  const message = planMessage(plan);
  if (message.items.length > 0) append(events, EventKind.PLAN, toBinary(PlanSchema, message));
}

/** Appends what came of each call, and of the plan's items. */
export function recordOutcome(events: EventLog, outcome: TurnOutcome): void {
  for (const done of outcome.outcomes) append(events, EventKind.TOOL_RESULT, storedResult(done));
  const message = applyMessage(outcome);
  if (message.items.length > 0) append(events, EventKind.APPLY, toBinary(ApplyResultSchema, message));
}

/** What came of a call as the bytes that are stored, and given to Render. */
export function storedResult(done: CallOutcome): Uint8Array {
  const event = create(ToolResultEventSchema, {
    toolCallId: done.planned.call.id,
    outcome:
      done.outcome === "applied"
        ? { case: "result", value: { payload: done.payload } }
        : { case: "error", value: toolErrorToWire(done.error) },
  });
  return toBinary(ToolResultEventSchema, event);
}

function append(events: EventLog, kind: EventKind, payload: Uint8Array): void {
  events.append({ kind, schemaVersion: SCHEMA_VERSION, payload });
}
