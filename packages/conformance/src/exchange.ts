// One call of every operation, by the recipe or with arguments made from the schema, and what it did: the material
// that most checks of calls look at.

import { schemaNodeOf } from "@pluggableharness/host";
import type { ObjectNode } from "@pluggableharness/protocol";
import { ToolKind } from "@pluggableharness/protocol/wire";
import { fittingArguments } from "./arguments.ts";
import type {
  ConnectedPlugin,
  InvokeOutcome,
  PlainCall,
  PluginSchema,
  ToolEvent,
  ToolSchema,
} from "./connected-plugin.ts";
import type { JsonObject, Recipe, RecipeCall } from "./recipe.ts";
import type { Picture, Scratch } from "./scratch.ts";

/** An operation that can be called without a person, with arguments that fit. */
export interface Callable {
  readonly tool: ToolSchema;
  readonly args: JsonObject;
  readonly recipe: RecipeCall | undefined;
}

/** A call that was made. */
export interface Exchange extends Callable {
  readonly outcome: InvokeOutcome;
  readonly before: Picture;
  readonly after: Picture;
}

/** The payload of a call that ended with a result. */
export function resultOf(events: readonly ToolEvent[]): JsonObject | undefined {
  const last = events.at(-1);
  return last?.case === "result" ? (last.value.payload ?? {}) : undefined;
}

/** The error a call ended with. */
export function errorOf(events: readonly ToolEvent[]) {
  const last = events.at(-1);
  return last?.case === "error" ? last.value : undefined;
}

/** What ends a call, in words. */
export function endOf({ events, status }: InvokeOutcome): string {
  if (status !== undefined) return `the status ${status.name.replace("GrpcError ", "")}: ${status.message}`;
  const error = errorOf(events);
  if (error !== undefined) return `the error ${JSON.stringify(error.message)}`;
  return events.at(-1)?.case === "result" ? "a result" : "nothing";
}

/** The input schema as an object node; one without properties where it is no object. */
export function inputNode(tool: ToolSchema): ObjectNode {
  const empty: ObjectNode = { type: "object", description: "", properties: {}, required: [] };
  if (tool.inputSchema === undefined) return empty;
  try {
    const node = schemaNodeOf(tool.inputSchema);
    return node.type === "object" ? node : empty;
  } catch {
    // What is wrong with it is another check's finding.
    return empty;
  }
}

/**
 * The operations that may be called: those with a recipe, and those that only read, whose arguments can be made up.
 * What changes something is never called without its author's word.
 */
export function callables(tools: readonly ToolSchema[], { calls }: Recipe): Callable[] {
  return tools
    .filter(
      ({ name, kind }) =>
        kind !== ToolKind.INTERACTIVE && (calls[name] !== undefined || kind === ToolKind.DATA_SOURCE),
    )
    .map((tool) => {
      const recipe = calls[tool.name];
      return { tool, recipe, args: recipe?.arguments ?? fittingArguments(inputNode(tool)) };
    });
}

/** The operations whose recipe has a call that goes on for seconds, with the arguments of that call. */
export function cancellable({ tools }: PluginSchema, { calls }: Recipe): Callable[] {
  return tools.flatMap((tool) => {
    const recipe = calls[tool.name];
    return recipe?.cancel === undefined ? [] : [{ tool, recipe, args: recipe.cancel }];
  });
}

/** The session in which an operation's setup and call are made. */
function sessionOf({ tool }: Callable): string {
  return `conformance-${tool.name}`;
}

/** The call as it is made and previewed. */
export function plainCall(callable: Callable, scratch: Scratch): PlainCall {
  return {
    tool: callable.tool.name,
    args: callable.args,
    workingDirectory: scratch.path,
    sessionId: sessionOf(callable),
  };
}

/** A fresh scratch directory, and the calls the recipe wants before; what the directory holds then. */
export async function prepare(
  plugin: ConnectedPlugin,
  callable: Callable,
  scratch: Scratch,
): Promise<Picture> {
  scratch.restore();
  for (const step of callable.recipe?.setup ?? []) {
    const call = { ...plainCall(callable, scratch), tool: step.operation, args: step.arguments };
    const outcome = await plugin.invoke(call);
    if (resultOf(outcome.events) === undefined)
      throw new Error(
        `the recipe's setup of ${callable.tool.name} failed: ${step.operation} ended with ${endOf(outcome)}`,
      );
  }
  return scratch.picture();
}

/** Makes one call. */
export async function exchange(
  plugin: ConnectedPlugin,
  callable: Callable,
  scratch: Scratch,
): Promise<Exchange> {
  const before = await prepare(plugin, callable, scratch);
  const outcome = await plugin.invoke(plainCall(callable, scratch));
  return { ...callable, outcome, before, after: scratch.picture() };
}
