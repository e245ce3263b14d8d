// The plan carried out: first a person decides what is asked about, item by item; then what only reads and what is
// allowed to change something runs, in the order of the concurrency keys and in parallel where they differ; then the
// questions to a person, one at a time, so that no other call's output runs into them (semantics.md, 'Plan/apply
// gate' and 'Calls').
import { isToolError, ToolError } from "@pluggableharness/protocol";
import { type Answer, takeAnswer } from "./answer.ts";
import { type Ask, approve } from "./approve.ts";
import { type CallPlace, callOperation, type StreamedEvent } from "./call-operation.ts";
import type { CallOutcome, PlannedCall, PlannedItem, TurnCall, TurnOutcome, TurnPlan } from "./turn.ts";
import { asToolError } from "./until-aborted.ts";

export interface ApplyOptions {
  /** Cancels what runs and skips the rest. */
  readonly signal: AbortSignal;
  /** Decides about items; without it what the policy asks about is denied. */
  readonly ask?: Ask | undefined;
  /** Answers interactive calls; without it they are denied. */
  readonly answer?: Answer | undefined;
  /** Takes what calls stream; each is held back until it resolves. */
  readonly onEvent?: ((planned: PlannedItem, event: StreamedEvent) => Promise<void> | void) | undefined;
  /** Told before another try of a call. */
  readonly onRetry?: ((planned: PlannedItem, failure: ToolError) => void) | undefined;
  /** Overrides the deadline of every call. */
  readonly timeoutMs?: number | undefined;
}

export interface ApplyContext {
  /** What people have allowed for the session. */
  readonly allowances: Set<string>;
  readonly place: CallPlace;
  readonly replan: (call: TurnCall) => Promise<PlannedCall>;
}

/** Carries the plan out. Never throws: what fails is an outcome. */
export async function applyTurn(
  plan: TurnPlan,
  context: ApplyContext,
  options: ApplyOptions,
): Promise<TurnOutcome> {
  const settled: (PlannedItem | CallOutcome)[] = [];
  for (const planned of plan.calls) settled.push(await settle(planned, context, options));
  const outcomes = await Promise.all(
    settled.map((next) => {
      if ("outcome" in next) return next;
      return next.operation.kind === "interactive" ? next : run(next, context, options);
    }),
  );
  const done: CallOutcome[] = [];
  for (const next of outcomes) done.push("outcome" in next ? next : await question(next, options));
  return {
    turnId: plan.turnId,
    outcomes: done,
    endsTurn: done.some(
      ({ outcome, planned }) =>
        outcome === "applied" && planned.status === "planned" && planned.operation.terminatesTurn,
    ),
  };
}

/** An item that may run now, or what came of it without running. */
async function settle(
  planned: PlannedCall,
  { allowances, replan }: ApplyContext,
  { ask, signal }: ApplyOptions,
): Promise<PlannedItem | CallOutcome> {
  if (planned.status === "refused") return { outcome: "failed", planned, error: planned.error };
  try {
    signal.throwIfAborted();
    return await approve(planned, { ask, allowances, replan, signal });
  } catch (error) {
    return withoutRunning(planned, error, signal);
  }
}

async function run(
  planned: PlannedItem,
  { place }: ApplyContext,
  { signal, onEvent, onRetry, timeoutMs }: ApplyOptions,
): Promise<CallOutcome> {
  const { provider, operation, call } = planned;
  let isSent = false;
  const noted: typeof provider = {
    lock: provider.lock,
    invoke: (...args) => {
      isSent = true;
      return provider.invoke(...args);
    },
  };
  try {
    const payload = await callOperation(
      noted,
      operation,
      { id: call.id, arguments: call.arguments, ...place },
      {
        signal,
        timeoutMs,
        onEvent: (event) => onEvent?.(planned, event),
        onRetry: (failure) => onRetry?.(planned, failure),
      },
    );
    return { outcome: "applied", planned, payload };
  } catch (thrown) {
    const error = asToolError(thrown, signal);
    return { outcome: !isSent && signal.aborted ? "skipped" : "failed", planned, error };
  }
}

async function question(planned: PlannedItem, { answer, signal }: ApplyOptions): Promise<CallOutcome> {
  try {
    signal.throwIfAborted();
    return { outcome: "applied", planned, payload: await takeAnswer(planned, answer, signal) };
  } catch (error) {
    return withoutRunning(planned, error, signal);
  }
}

/** A person who cannot be asked has not allowed it. */
function withoutRunning(planned: PlannedItem, thrown: unknown, signal: AbortSignal): CallOutcome {
  if (signal.aborted) return { outcome: "skipped", planned, error: asToolError(thrown, signal) };
  if (isToolError(thrown) && thrown.category === "permission_denied")
    return { outcome: "denied", planned, error: thrown };
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const error = new ToolError("permission_denied", `nobody could be asked: ${why}`, { cause: thrown });
  return { outcome: "denied", planned, error };
}
