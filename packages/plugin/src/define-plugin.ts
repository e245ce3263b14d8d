// definePlugin and defineTool: what an author writes. Rules of the protocol that a type can hold are held by
// types: the risk of each kind, key fields that exist, a result that fits its schema (tool-protocol.txt,
// 'GetSchema').
import type { ObjectNode, ObjectSchema, RenderNode } from "@pluggableharness/protocol";
import type { Call, PreviewCall } from "./call.ts";
import type { StreamEvent } from "./event.ts";
import type { Logger } from "./logger.ts";

export type ResourceRisk = "low" | "moderate" | "high" | "critical";

/** Which calls may run at the same time: all, or all with different values of `keyFields`, or none. */
export type Concurrency<Key extends string = string> =
  | { readonly safe: false }
  | { readonly safe: true; readonly keyFields?: readonly Key[] };

/** The plan/apply gate's view of an operation: kind, and what that kind may declare. */
type Gate<Key extends string> =
  | {
      /** Changes something: a person or a policy approves it first. */
      readonly kind: "resource";
      readonly risk: ResourceRisk;
      readonly concurrency: Concurrency<Key>;
      /** A successful call ends the model's turn. */
      readonly terminatesTurn?: boolean;
    }
  | { /** Reads only. */ readonly kind: "data_source"; readonly concurrency: Concurrency<Key> }
  | { /** Asks a person; its preview is the prompt. */ readonly kind: "interactive" };

interface ToolBody<State, Input, Output, Result> {
  /** Unique within the plugin, snake_case: policies and models refer to it. */
  readonly name: string;
  /** Shown to the model and in plans. */
  readonly description: string;
  readonly input: ObjectSchema<Input>;
  /** Must contain a literal `operation` with the tool's name: a stored result does not name it otherwise. */
  readonly output: ObjectSchema<Output>;
  /** Doing it twice with the same arguments ends like doing it once; the kernel may then retry it. */
  readonly idempotent: boolean;
  /** Deadline the kernel should set where the operator says nothing; without it the kernel's own. */
  readonly timeoutMs?: number;
  /** Return is the result, throw is the error; with a star, yield is everything before. */
  invoke(input: Input, call: Call<State>): Promise<Result> | AsyncGenerator<StreamEvent, Result, void>;
  /** What `invoke` would do, without doing any of it. Leave it out where that cannot be known without acting. */
  preview?(input: Input, call: PreviewCall<State>): Promise<RenderNode> | RenderNode;
  /** What a person sees of a result, perhaps years later: only from what was stored. */
  render(output: Output): RenderNode;
  /** What a person sees of the call itself; the arguments as JSON by default. */
  renderCall?(input: Input): RenderNode;
}

type KeyOf<T> = Extract<keyof T, string>;

/**
 * One operation, as an author writes it. `Result` is what `invoke` returns, an Output: a type of its own, since
 * words such as `operation: "edit_file"` would widen to string if it took part in inferring Output.
 */
export type ToolDefinition<
  State,
  Input,
  Output extends { readonly operation: string },
  Result extends Output = Output,
> = ToolBody<State, Input, Output, Result> & Gate<KeyOf<Input>>;

/** An operation of a plugin with this state; made by `defineTool`. */
export interface Tool<State> {
  readonly name: string;
  readonly description: string;
  readonly gate: Gate<string>;
  readonly idempotent: boolean;
  readonly timeoutMs: number | undefined;
  readonly input: ObjectNode;
  readonly output: ObjectNode;
  /** True where `invoke` is an async generator function. */
  readonly streaming: boolean;
  /** The functions take values that were validated against `input` or `output`. */
  readonly invoke: (
    input: unknown,
    call: Call<State>,
  ) => Promise<unknown> | AsyncGenerator<StreamEvent, unknown, void>;
  readonly preview:
    | ((input: unknown, call: PreviewCall<State>) => Promise<RenderNode> | RenderNode)
    | undefined;
  readonly render: (output: unknown) => RenderNode;
  readonly renderCall: ((input: unknown) => RenderNode) | undefined;
}

/** Given to `open`. */
export interface OpenContext {
  readonly log: Logger;
  /** Aborts when the host gives up on Configure. */
  readonly signal: AbortSignal;
}

export interface PluginDefinition<Config, State> {
  /** The provider's name in agent.hcl. */
  readonly name: string;
  /** The released version; the kernel compares it with its lock file. */
  readonly version: string;
  /** The address it is released under, such as `github.com/pluggableharness/plugin-tool-filesystem`. */
  readonly source: string;
  readonly config: ObjectSchema<Config>;
  /**
   * Called by Configure with a valid configuration; what it returns is `call.state`. A state that is Disposable or
   * AsyncDisposable is disposed when it is replaced or the plugin ends. Throw a ToolError to refuse the configuration.
   */
  open(config: Config, context: OpenContext): Promise<State> | State;
  /** Drops what the state holds for a session that has ended. */
  sessionEnded?(state: State, sessionId: string): void;
}

/** A plugin: its definition and the place its operations are defined on. */
export interface Plugin<State> {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  readonly config: ObjectNode;
  readonly open: (config: unknown, context: OpenContext) => Promise<State> | State;
  readonly sessionEnded: ((state: State, sessionId: string) => void) | undefined;
  /** Defines an operation; the types of its input, output and state are inferred. */
  defineTool<Input, Output extends { readonly operation: string }, const Result extends Output>(
    definition: ToolDefinition<State, Input, Output, Result>,
  ): Tool<State>;
}

/** Defines a plugin. Everything is static data: nothing is opened, read or connected before Configure. */
export function definePlugin<Config, State>(definition: PluginDefinition<Config, State>): Plugin<State> {
  return {
    name: definition.name,
    version: definition.version,
    source: definition.source,
    config: definition.config.node,
    // Configure validates against `config` before it calls this, which makes the value a Config.
    open: (config, context) => definition.open(config as Config, context),
    sessionEnded: definition.sessionEnded?.bind(definition),
    defineTool: (tool) => defineTool(tool),
  };
}

function defineTool<State, Input, Output extends { readonly operation: string }, Result extends Output>(
  definition: ToolDefinition<State, Input, Output, Result>,
): Tool<State> {
  const { preview, renderCall } = definition;
  return {
    name: definition.name,
    description: definition.description,
    gate: definition,
    idempotent: definition.idempotent,
    timeoutMs: definition.timeoutMs,
    input: definition.input.node,
    output: definition.output.node,
    streaming: Object.prototype.toString.call(definition.invoke) === "[object AsyncGeneratorFunction]",
    // The SDK calls these only with values it has validated against `input` or `output` (invoke.ts), whose
    // inferred types are Input and Output.
    invoke: (input, call) => definition.invoke(input as Input, call),
    preview: preview && ((input, call) => preview.call(definition, input as Input, call)),
    render: (output) => definition.render(output as Output),
    renderCall: renderCall && ((input) => renderCall.call(definition, input as Input)),
  };
}
