// Calls that a model gets wrong: they end with an error that says what to correct, and harm nothing (semantics.md,
// 'Schemas' and 'Calls').
import { categoryFromWire } from "@pluggableharness/protocol";
import { ToolErrorCategory, ToolKind, ToolService } from "@pluggableharness/protocol/wire";
import { type Misfit, ofWrongType, outsideEnum, withNull, withoutRequired } from "../arguments.ts";
import { type Check, fail, notReached, pass, passUnless } from "../check.ts";
import { CALL_MS, type InvokeOutcome, type ToolEvent } from "../connected-plugin.ts";
import { errorProblem } from "../error-problem.ts";
import {
  type Callable,
  callables,
  endOf,
  errorOf,
  inputNode,
  plainCall,
  prepare,
  resultOf,
} from "../exchange.ts";
import type { JsonObject } from "../recipe.ts";
import { difference } from "../scratch.ts";
import type { Trial } from "../trial.ts";

const SCHEMAS = "semantics.md, 'Schemas'";

/** What to say of a call that did not end with invalid_arguments. */
function unlessInvalid(outcome: InvokeOutcome): string | undefined {
  return errorOf(outcome.events)?.category === ToolErrorCategory.INVALID_ARGUMENTS &&
    outcome.status === undefined
    ? undefined
    : `ended with ${categoryOf(outcome)}`;
}

function categoryOf(outcome: InvokeOutcome): string {
  const error = errorOf(outcome.events);
  return error === undefined ? endOf(outcome) : `${categoryFromWire(error.category)}: ${error.message}`;
}

/** A rule about arguments that do not fit, of every operation and in every way. */
function ofMisfits(id: string, rule: string, make: (callable: Callable) => Misfit[], without: string): Check {
  return {
    id,
    rule,
    source: SCHEMAS,
    run: async (trial) => {
      const problems: string[] = [];
      let seen = 0;
      for (const callable of await everyOperation(trial)) {
        for (const { how, args } of make(callable)) {
          seen++;
          const wrong = unlessInvalid(await invoke(trial, callable.tool.name, args));
          if (wrong !== undefined) problems.push(`${callable.tool.name} ${how} ${wrong}`);
        }
      }
      return seen === 0 ? notReached(without) : passUnless(problems, `${seen} calls were refused`);
    },
  };
}

/** Also operations that are never called rightly: a call that must be refused does nothing. */
async function everyOperation(trial: Trial): Promise<Callable[]> {
  const { tools } = await trial.schema();
  const known = callables(tools, trial.recipe);
  return tools
    .filter(({ kind }) => kind !== ToolKind.INTERACTIVE)
    .map((tool) => known.find((one) => one.tool === tool) ?? { tool, recipe: undefined, args: {} });
}

async function invoke(trial: Trial, tool: string, args: JsonObject | undefined): Promise<InvokeOutcome> {
  return await (await trial.configured.get()).invoke({ tool, args, workingDirectory: trial.scratch.path });
}

/** A call that need not succeed, but must end with a result or a good error. */
function endsWell(outcome: InvokeOutcome, name: string): string[] {
  if (outcome.status !== undefined) return [`${name} ended with ${endOf(outcome)}`];
  const wrong = errorProblem(outcome.events);
  if (wrong !== undefined) return [`${name}: ${wrong}`];
  return isEnd(outcome.events.at(-1)) ? [] : [`${name} ended its stream without a result or an error`];
}

function isEnd(event: ToolEvent | undefined): boolean {
  return event?.case === "result" || event?.case === "error";
}

/** A list in lists, as deep as a model that has lost its way may write. */
function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level++) value = { deeper: value };
  return value;
}

export const misuseChecks: readonly Check[] = [
  {
    id: "misuse.unknown-operation",
    rule: "A call of an unknown operation ends with not_found or invalid_arguments, in an error event.",
    source: "semantics.md, 'Calls'",
    run: async (trial) => {
      const outcome = await invoke(trial, "no_such_operation", {});
      const category = errorOf(outcome.events)?.category;
      return category === ToolErrorCategory.NOT_FOUND || category === ToolErrorCategory.INVALID_ARGUMENTS
        ? pass(categoryOf(outcome))
        : fail(`it ended with ${categoryOf(outcome)}`);
    },
  },
  {
    id: "misuse.before-configure",
    rule: "A call before Configure ends with an error event; it does not crash or hang.",
    source: "tool-protocol.txt, 'Configure'",
    run: async (trial) => {
      await using plugin = await trial.connect();
      const [callable] = callables((await trial.schema()).tools, trial.recipe);
      if (callable === undefined) return notReached("no operation could be called");
      const outcome = await plugin.invoke({
        tool: callable.tool.name,
        args: callable.args,
        workingDirectory: trial.scratch.path,
      });
      return passUnless(endsWell(outcome, callable.tool.name), endOf(outcome));
    },
  },
  {
    id: "misuse.no-call",
    rule: "An InvokeRequest without a call ends with an error; the plugin goes on.",
    source: "semantics.md, 'Launch'",
    run: async (trial) => {
      const plugin = await trial.configured.get();
      const events: ToolEvent[] = [];
      try {
        for await (const { event } of plugin.client.serverStream(
          ToolService.method.invoke,
          {},
          { timeoutMs: CALL_MS },
        ))
          events.push(event?.event ?? { case: undefined });
      } catch (error) {
        return fail(`it ended with ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
      }
      return errorOf(events) === undefined
        ? fail("it did not end with an error event")
        : pass(errorOf(events)?.message ?? "");
    },
  },
  ofMisfits(
    "misuse.missing",
    "A call without a required argument ends with invalid_arguments.",
    ({ tool, args }) => withoutRequired(inputNode(tool), args),
    "no operation has a required argument",
  ),
  ofMisfits(
    "misuse.wrong-type",
    "A call with an argument of another type ends with invalid_arguments: nothing is converted.",
    ({ tool, args }) => ofWrongType(inputNode(tool), args),
    "no operation has an argument",
  ),
  ofMisfits(
    "misuse.null",
    "A call with null as an argument ends with invalid_arguments: what is missing is left out.",
    ({ tool, args }) => withNull(inputNode(tool), args),
    "no operation has an argument",
  ),
  ofMisfits(
    "misuse.enum",
    "A call with a word that is not among the enum_values ends with invalid_arguments.",
    ({ tool, args }) => outsideEnum(inputNode(tool), args),
    "no argument has enum_values",
  ),
  ofMisfits(
    "misuse.refused",
    "The recipe's invalid arguments end with invalid_arguments.",
    ({ recipe }) =>
      recipe?.invalid === undefined ? [] : [{ how: "with the recipe's `invalid`", args: recipe.invalid }],
    "the recipe has no `invalid` arguments",
  ),
  {
    id: "misuse.changes-nothing",
    rule: "A call that is refused as invalid has changed nothing.",
    source: "catalog.md, 'Common rules'",
    run: async (trial) => {
      let refused = 0;
      for (const { tool, args } of await everyOperation(trial)) {
        for (const misfit of [
          ...withoutRequired(inputNode(tool), args),
          ...ofWrongType(inputNode(tool), args),
        ]) {
          trial.scratch.restore();
          const before = trial.scratch.picture();
          if (unlessInvalid(await invoke(trial, tool.name, misfit.args)) !== undefined) continue;
          refused++;
          const changed = difference(before, trial.scratch.picture());
          if (changed !== undefined) return fail(`${tool.name} ${misfit.how}: ${changed}`);
        }
      }
      return refused === 0
        ? notReached("no call was refused")
        : pass(`${refused} refused calls changed nothing`);
    },
  },
  {
    id: "misuse.unknown-argument",
    rule: "An argument that the schema does not know is ignored.",
    source: SCHEMAS,
    run: async (trial) => {
      const made = (await trial.exchanges()).filter(
        ({ tool, outcome }) => tool.kind === ToolKind.DATA_SOURCE && resultOf(outcome.events) !== undefined,
      );
      if (made.length === 0) return notReached("no call of a data_source ended with a result");
      const problems: string[] = [];
      for (const callable of made) {
        const plugin = await trial.configured.get();
        await prepare(plugin, callable, trial.scratch);
        const args = { ...callable.args, conformance_unknown: true };
        const outcome = await plugin.invoke(plainCall({ ...callable, args }, trial.scratch));
        if (resultOf(outcome.events) === undefined)
          problems.push(`${callable.tool.name} ended with ${endOf(outcome)}`);
      }
      return passUnless(problems, made.map(({ tool }) => tool.name).join(", "));
    },
  },
  {
    id: "misuse.huge-arguments",
    rule: "Arguments of 5 MB and 200 levels deep get an answer, and the plugin goes on.",
    source: "go-plugin.md, 'The gRPC client is grpc-go'",
    run: async (trial) => {
      const problems: string[] = [];
      const [callable] = callables((await trial.schema()).tools, trial.recipe);
      if (callable === undefined) return notReached("no operation could be called");
      for (const extra of [{ conformance: "x".repeat(5_000_000) }, { conformance: { ...nested(200) } }])
        problems.push(
          ...endsWell(
            await invoke(trial, callable.tool.name, { ...callable.args, ...extra }),
            callable.tool.name,
          ),
        );
      return passUnless(problems, "both calls were answered");
    },
  },
];
