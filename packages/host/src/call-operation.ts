// One call of an operation as the kernel makes it: arguments and result checked against their schemas, a deadline,
// its turn among the calls of its provider, and another try where that is allowed (semantics.md, 'Calls').
import { setTimeout as delay } from "node:timers/promises";
import { type Json, problemsInWords, type SchemaNode, ToolError, validate } from "@pluggableharness/protocol";
import type { ToolEvent } from "./call.ts";
import { claimOf } from "./call-lock.ts";
import type { Operation } from "./operation.ts";
import type { Provider } from "./provider.ts";
import { withRetries } from "./retry.ts";
import { asToolError, untilAborted } from "./until-aborted.ts";

type JsonObject = { [key: string]: Json };

/** Where a call belongs. */
export interface CallPlace {
  readonly sessionId: string;
  readonly turnId: string;
  /** Where relative paths start. */
  readonly workingDirectory: string;
}

/** A call of an operation. */
export interface OperationCall extends CallPlace {
  readonly id: string;
  readonly arguments: JsonObject;
}

/** What comes before the result. */
export type StreamedEvent = Exclude<ToolEvent, { case: "result" | "error" | undefined }>;

export interface CallOperationOptions {
  /** Cancels the call, or its wait for its turn. */
  readonly signal: AbortSignal;
  /** The deadline of each try; by default the operation's own, else two minutes. Infinity is none. */
  readonly timeoutMs?: number | undefined;
  /** Takes the events as they come; the plugin is held back until it resolves. */
  readonly onEvent?: ((event: StreamedEvent) => Promise<void> | void) | undefined;
  /** Told before another try: what has streamed so far belongs to the try that failed. */
  readonly onRetry?: ((failure: ToolError) => void) | undefined;
  /** Waits between tries; the clock of the caller. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Where an operation has no deadline of its own. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Makes the call; the result's payload fits the output schema. Throws ToolErrors only. */
export async function callOperation(
  provider: Pick<Provider, "lock" | "invoke">,
  operation: Operation,
  call: OperationCall,
  options: CallOperationOptions,
): Promise<JsonObject> {
  const { signal, onRetry, wait = defaultWait } = options;
  try {
    checkArguments(operation, call.arguments);
    const claim = claimOf(operation.name, operation.concurrency, call.arguments);
    return await withRetries(
      ({ alone }) =>
        provider.lock.run(alone ? { kind: "provider" } : claim, signal, () =>
          invoke(provider, operation, call, options).catch((error: unknown) => {
            throw asToolError(error, signal);
          }),
        ),
      { mayRepeat: operation.mayRepeat, signal, wait, onRetry },
    );
  } catch (error) {
    throw asToolError(error, signal);
  }
}

/** Throws invalid_arguments that names each field. */
export function checkArguments(operation: Operation, given: JsonObject): void {
  const problems = validate(operation.input, given);
  if (problems.length > 0)
    throw new ToolError("invalid_arguments", `${operation.name}: ${problemsInWords(problems, "arguments")}`);
}

/** What is wrong with a payload that should be a result; undefined where nothing is. */
export function resultProblems(output: SchemaNode, payload: Json | undefined): string | undefined {
  const problems = validate(output, payload);
  return problems.length === 0 ? undefined : problemsInWords(problems, "result");
}

async function invoke(
  provider: Pick<Provider, "invoke">,
  operation: Operation,
  call: OperationCall,
  { signal, timeoutMs, onEvent }: CallOperationOptions,
): Promise<JsonObject> {
  const { id, arguments: args, ...callContext } = call;
  const deadlineMs = timeoutMs ?? operation.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const events = provider.invoke(
    { id, toolName: operation.name, arguments: args, callContext },
    { signal, ...(Number.isFinite(deadlineMs) && { timeoutMs: deadlineMs }) },
  );
  let payload: JsonObject | undefined;
  for await (const event of events) {
    if (event.case === "result") payload = event.value.payload;
    else if (event.case !== "error" && event.case !== undefined)
      // A receiver that never ends must not keep the call from being cancelled.
      await untilAborted(onEvent?.(event), signal);
  }
  const problems = resultProblems(operation.output, payload);
  if (problems === undefined && payload !== undefined) return payload;
  throw new ToolError(
    "unknown",
    `${operation.name} answered with a result that does not fit its output schema: ${problems}`,
  );
}

async function defaultWait(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal });
}
