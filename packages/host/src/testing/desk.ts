// A provider for tests of the gate that starts no process: its operations, and calls that end when the test says so.
import { create } from "@bufbuild/protobuf";
import { ToolError } from "@pluggableharness/protocol";
import { RenderTreeSchema, ToolEventSchema } from "@pluggableharness/protocol/wire";
import type { ToolCallInit, ToolEvent } from "../call.ts";
import { CallLock } from "../call-lock.ts";
import type { Operation } from "../operation.ts";
import type { Planner } from "../plan.ts";
import { Policy, type PolicyRule } from "../policy.ts";
import type { ProviderCallOptions } from "../provider.ts";
import type { JsonObject } from "../turn.ts";

export const idle: AbortSignal = new AbortController().signal;
export const place = { sessionId: "s", turnId: "t", workingDirectory: "/" };

const text = { type: "string", description: "" } as const;

function operation(provider: string, name: string, changes: Partial<Operation> = {}): Operation {
  return {
    provider,
    name,
    kind: "resource",
    risk: "moderate",
    description: `The operation ${name}.`,
    input: { type: "object", description: "", properties: { page: text }, required: ["page"] },
    output: { type: "object", description: "", properties: { text }, required: ["text"] },
    concurrency: undefined,
    defaultTimeoutMs: undefined,
    mayRepeat: false,
    terminatesTurn: false,
    ...changes,
  };
}

/** A call that was sent. */
export interface Sent {
  readonly id: string;
  readonly provider: string;
  readonly operation: string;
  readonly page: unknown;
}

/** A provider; `invoked` decides what becomes of its calls. */
export class FakeDesk {
  readonly lock = new CallLock();
  readonly sent: Sent[] = [];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #name: string;
  readonly #invoked: (sent: Sent) => Promise<JsonObject>;

  constructor(name = "desk", invoked: (sent: Sent) => Promise<JsonObject> = async () => ({ text: "done" })) {
    this.#name = name;
    this.#invoked = invoked;
    this.operations = new Map(
      [
        operation(name, "note", { concurrency: { safe: true, keyFields: ["page"] } }),
        operation(name, "stamp"),
        operation(name, "look", {
          kind: "data_source",
          risk: "read_only",
          concurrency: { safe: true, keyFields: [] },
        }),
        operation(name, "ask", { kind: "interactive", risk: "read_only" }),
        operation(name, "finish", { terminatesTurn: true }),
        operation(name, "hidden"),
      ].map((each) => [each.name, each]),
    );
  }

  async ready(): Promise<Pick<FakeDesk, "operations">> {
    return this;
  }

  async *invoke(call: ToolCallInit, _options: ProviderCallOptions): AsyncGenerator<ToolEvent, void> {
    const { id = "", toolName = "", arguments: args } = call;
    const sent = { id, provider: this.#name, operation: toolName, page: args?.["page"] };
    this.sent.push(sent);
    const payload = await this.#invoked(sent);
    yield create(ToolEventSchema, { event: { case: "result", value: { payload } } }).event;
  }

  async preview({ toolName = "", arguments: args }: ToolCallInit) {
    if (toolName === "stamp") throw new ToolError("timeout", "no preview within 5 ms");
    const content = `${toolName} ${args?.["page"]}`;
    return create(RenderTreeSchema, { root: { node: { case: "text", value: { content } } } });
  }
}

/** A planner over these desks, which offers all but what is hidden. */
export function planner(desks: ReadonlyMap<string, FakeDesk>, rules: readonly PolicyRule[] = []) {
  const allowances = new Set<string>();
  return {
    providers: desks,
    policy: new Policy(rules),
    offers: (_provider, name) => name !== "hidden",
    allowances,
  } satisfies Planner;
}

/** A call of a model. */
export function call(operationName: string, page: string, { id = operationName, provider = "desk" } = {}) {
  return { id, provider, operation: operationName, arguments: { page } };
}
