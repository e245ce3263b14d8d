// One call of Invoke from its arguments to its terminal event: find the tool, validate, run, map errors. Yields
// any number of events and then exactly one result or error (tool-protocol.txt, 'Invoke').
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@pluggableharness/grpc";
import { type Json, problemsInWords, ToolError, validate } from "@pluggableharness/protocol";
import { OutputStream, type ToolCallSchema, type ToolEventSchema } from "@pluggableharness/protocol/wire";
import type { Call, CallContext } from "./call.ts";
import { CallSignal } from "./call-signal.ts";
import type { Tool } from "./define-plugin.ts";
import type { StreamEvent } from "./event.ts";
import { toToolError, wireToolError } from "./failure.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";

type ToolCall = MessageShape<typeof ToolCallSchema>;
type EventInit = NonNullable<MessageInitShape<typeof ToolEventSchema>["event"]>;
type Step = IteratorResult<StreamEvent, unknown>;

/** How long a tool may go on after its signal fired; then the call ends without it. */
export const GRACE_MS = 1_000;

/** The events of one call, the last of which is its result or error. Never throws. */
export async function* invokeTool<State>(
  runtime: PluginRuntime<State>,
  call: ToolCall | undefined,
  context: HandlerContext,
): AsyncGenerator<EventInit, void> {
  const log = runtime.log.with(
    { call_id: call?.id ?? "", operation: call?.toolName ?? "" },
    call?.callContext?.sessionId,
  );
  using callSignal = new CallSignal(context);
  const { signal } = callSignal;
  try {
    const tool = runtime.tool(call?.toolName);
    const input = checkArguments(tool, call?.arguments);
    using lease = runtime.leaseState();
    const toolCall: Call<State> = {
      id: call?.id ?? "",
      state: lease.state,
      signal,
      deadline: context.deadline,
      context: callContext(call),
      kernel: runtime.kernel,
      log,
    };
    signal.throwIfAborted();
    const result = checkResult(tool, yield* run(start(tool, input, toolCall), signal, context.signal, log));
    if (context.signal.aborted) {
      // A success after the cancel is not a result any more, but what happened must not be lost.
      log.warn("the call was cancelled, but the operation had already completed", { result });
      return;
    }
    yield { case: "result", value: { payload: result } };
  } catch (thrown) {
    const error =
      signal.aborted && !(thrown instanceof ToolError) ? toToolError(signal.reason) : toToolError(thrown);
    if (error.category === "unknown") log.error(error.message, { error: error.cause ?? error });
    if (context.signal.aborted) {
      log.info("the call was cancelled", { outcome: error.message, category: error.category });
      return;
    }
    yield { case: "error", value: wireToolError(error) };
  }
}

/** Validated arguments. Throws invalid_arguments that names each field. */
export function checkArguments<State>(
  tool: Tool<State>,
  given: { [key: string]: Json } | undefined,
): unknown {
  const input = given ?? {};
  const problems = validate(tool.input, input);
  if (problems.length === 0) return input;
  throw new ToolError("invalid_arguments", `${tool.name}: ${problemsInWords(problems, "arguments")}`);
}

/** The kernel's context of a call, empty strings where there is none. */
export function callContext(call: ToolCall | undefined): CallContext {
  const { sessionId = "", turnId = "", workingDirectory = "" } = call?.callContext ?? {};
  return { sessionId, turnId, workingDirectory };
}

function checkResult<State>(tool: Tool<State>, result: unknown): { [key: string]: Json } {
  const problems = validate(tool.output, result);
  // An object by its schema, and JSON since a Struct is all that can be sent.
  if (problems.length === 0) return result as { [key: string]: Json };
  const words = problemsInWords(problems, "result");
  throw new ToolError(
    "unknown",
    `${tool.name} returned a result that does not fit its own output schema: ${words}`,
    {
      details: { problems: words },
    },
  );
}

interface Work {
  next(): Promise<Step>;
  /** Runs what the tool has to clean up; resolves when that is done. Never rejects. */
  return(): Promise<void>;
}

function start<State>(tool: Tool<State>, input: unknown, call: Call<State>): Work {
  const running = tool.invoke(input, call);
  if (!("next" in running)) {
    return { next: async () => ({ done: true, value: await running }), return: async () => {} };
  }
  const clean = async (): Promise<void> => {
    // The call has its outcome already: a failure of the clean-up has no one to go to.
    await running.return(undefined).catch(() => {});
  };
  return { next: () => running.next(), return: clean };
}

/**
 * Pulls the tool's events, one at a time, and returns its result. Once the signal has fired the tool has a grace
 * to end by itself; once the host is gone what it still says goes to the log.
 */
async function* run(
  work: Work,
  signal: AbortSignal,
  hostGone: AbortSignal,
  log: Call<unknown>["log"],
): AsyncGenerator<EventInit, unknown> {
  using patience = new Patience(signal);
  let exited = false;
  let finished = false;
  try {
    for (;;) {
      const step = await patience.wait(work.next());
      if (step === "expired") throw signal.reason;
      if (step.done === true) {
        finished = true;
        return step.value;
      }
      if (step.value.type === "exit") {
        if (exited) throw new Error("the tool reported a second exit status");
        exited = true;
      }
      if (hostGone.aborted) log.info("after the cancel", { event: describe(step.value) });
      else yield wireEvent(step.value);
    }
  } finally {
    // The state belongs to the call until its clean-up is done; one that ignored its signal was given its time.
    if (!finished) await patience.last(work.return());
  }
}

/** Waits for the tool, but not longer than the grace after the signal has fired. */
class Patience implements Disposable {
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #expire: (() => void) | undefined;
  #expired = false;
  readonly #onAbort = (): void => {
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#expire?.();
    }, GRACE_MS);
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  // One promise per wait and none that outlives it: racing against one long-lived promise would collect a
  // reaction per event for the whole call.
  wait(step: Promise<Step>): Promise<Step | "expired"> {
    return new Promise((resolve, reject) => {
      this.#expire = () => resolve("expired");
      if (this.#expired) resolve("expired");
      step.then(resolve, reject);
    });
  }

  /** Waits for the tool's last act, for one more grace at most, and not at all where it has had its time. */
  async last(act: Promise<void>): Promise<void> {
    if (this.#expired) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([act, grace]);
    clearTimeout(timer);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

function wireEvent(event: StreamEvent): EventInit {
  switch (event.type) {
    case "progress": {
      const { message, fraction } = event;
      return {
        case: "progress",
        value: fraction === undefined ? { message } : { message, fractionComplete: fraction },
      };
    }
    case "output":
      return {
        case: "outputChunk",
        value: {
          stream: event.stream === "stderr" ? OutputStream.STDERR : OutputStream.STDOUT,
          data: event.data,
        },
      };
    case "partial":
      return { case: "partialResult", value: { payload: event.payload } };
    case "exit": {
      const { exitCode, signal } = event;
      return { case: "exitStatus", value: signal === undefined ? { exitCode } : { exitCode, signal } };
    }
  }
}

function describe(event: StreamEvent): unknown {
  return event.type === "output" ? { type: "output", bytes: event.data.length } : event;
}
