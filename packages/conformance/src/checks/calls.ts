// The stream of events of a call (tool-protocol.txt, 'Invoke'; semantics.md, 'Calls'). These look at one call of every
// operation that could be called.
import { schemaNodeOf } from "@pluggableharness/host";
import { problemsInWords, validate } from "@pluggableharness/protocol";
import { OutputStream, SchemaType, ToolKind } from "@pluggableharness/protocol/wire";
import { type Check, notReached, passUnless } from "../check.ts";
import { errorProblem } from "../error-problem.ts";
import { type Exchange, endOf, errorOf, exchange, resultOf } from "../exchange.ts";
import { difference } from "../scratch.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "tool-protocol.txt, 'Invoke'";

/** A rule about the calls that give an occasion: what is wrong with one, or undefined. */
function ofCalls(
  id: string,
  rule: string,
  source: string,
  occasion: (made: Exchange) => boolean,
  problem: (made: Exchange, trial: Trial) => string | undefined | Promise<string | undefined>,
  without: string,
): Check {
  return {
    id,
    rule,
    source,
    run: async (trial) => {
      const concerned = (await trial.exchanges()).filter(occasion);
      if (concerned.length === 0) return notReached(without);
      const problems: string[] = [];
      for (const made of concerned) {
        const wrong = await problem(made, trial);
        if (wrong !== undefined) problems.push(`${made.tool.name} ${wrong}`);
      }
      return passUnless(problems, `holds of ${concerned.map(({ tool }) => tool.name).join(", ")}`);
    },
  };
}

const any = (): boolean => true;
const NO_CALL = "no operation could be called: a recipe would say how";

function isTerminal({ case: kind }: Exchange["outcome"]["events"][number]): boolean {
  return kind === "result" || kind === "error";
}

function payloadProblem({ tool, outcome }: Exchange): string | undefined {
  const payload = resultOf(outcome.events);
  if (payload === undefined || tool.outputSchema === undefined) return undefined;
  try {
    const problems = validate(schemaNodeOf(tool.outputSchema), payload);
    return problems.length === 0
      ? undefined
      : `has a result that does not conform: ${problemsInWords(problems, "payload")}`;
  } catch {
    // What is wrong with the schema is another check's finding.
    return undefined;
  }
}

function count(made: Exchange, kind: string): number {
  return made.outcome.events.filter((event) => event.case === kind).length;
}

export const callChecks: readonly Check[] = [
  ofCalls(
    "invoke.succeeds",
    "A call by the recipe ends with a result.",
    "README.md, 'Recipes'",
    ({ recipe }) => recipe !== undefined,
    ({ outcome }) => (resultOf(outcome.events) === undefined ? `ended with ${endOf(outcome)}` : undefined),
    "the recipe has no calls",
  ),
  ofCalls(
    "invoke.one-end",
    "Exactly one result or error ends the stream, and nothing follows it.",
    SOURCE,
    any,
    ({ outcome: { events, status } }) => {
      if (status !== undefined) return undefined;
      const first = events.findIndex(isTerminal);
      if (first === -1) return "ended its stream without a result or an error";
      return first === events.length - 1
        ? undefined
        : `sent ${events[first + 1]?.case ?? "an empty event"} after its ${events[first]?.case}`;
    },
    NO_CALL,
  ),
  ofCalls(
    "invoke.no-empty-event",
    "Every event has content.",
    SOURCE,
    any,
    ({ outcome: { events } }) =>
      events.some((event) => event.case === undefined) ? "sent an event without content" : undefined,
    NO_CALL,
  ),
  ofCalls(
    "invoke.status-ok",
    "The stream's status is OK: failures travel as an error event.",
    "semantics.md, 'Calls'",
    any,
    ({ outcome: { status } }) =>
      status === undefined ? undefined : `ended with the status ${status.name}: ${status.message}`,
    NO_CALL,
  ),
  ofCalls(
    "invoke.result-conforms",
    "A result's payload conforms to the output schema.",
    SOURCE,
    ({ outcome }) => resultOf(outcome.events) !== undefined,
    payloadProblem,
    "no call ended with a result",
  ),
  ofCalls(
    "invoke.result-struct",
    "A result carries a payload, be it empty.",
    "semantics.md, 'Schemas'",
    ({ tool, outcome }) =>
      tool.outputSchema?.type === SchemaType.OBJECT && resultOf(outcome.events) !== undefined,
    ({ outcome }) => {
      const last = outcome.events.at(-1);
      return last?.case === "result" && last.value.payload === undefined
        ? "sent a result without a payload"
        : undefined;
    },
    "no call ended with a result",
  ),
  ofCalls(
    "invoke.not-streaming",
    "An operation that says `streaming = false` sends nothing before its end.",
    SOURCE,
    ({ tool }) => !tool.streaming,
    ({ outcome: { events } }) => {
      const early = events.find((event) => !isTerminal(event));
      return early === undefined ? undefined : `sent ${early.case} first`;
    },
    "no operation of that kind could be called",
  ),
  ofCalls(
    "invoke.one-exit-status",
    "exit_status comes at most once, and before the end.",
    SOURCE,
    any,
    (made) => {
      if (count(made, "exitStatus") > 1) return "sent two";
      const at = made.outcome.events.findIndex((event) => event.case === "exitStatus");
      const end = made.outcome.events.findIndex(isTerminal);
      return at === -1 || end === -1 || at < end ? undefined : "sent it after its end";
    },
    NO_CALL,
  ),
  ofCalls(
    "invoke.exit-status-of-process",
    "Only an operation that runs a process sends exit_status (`process` in the recipe).",
    SOURCE,
    ({ recipe }) => recipe?.process !== true,
    (made) => (count(made, "exitStatus") > 0 ? "sent one" : undefined),
    "every operation runs a process",
  ),
  ofCalls(
    "invoke.chunk-stream",
    "An output_chunk names its stream.",
    SOURCE,
    (made) => count(made, "outputChunk") > 0,
    ({ outcome: { events } }) =>
      events.some((event) => event.case === "outputChunk" && event.value.stream === OutputStream.UNSPECIFIED)
        ? "sent one without"
        : undefined,
    "no call sent an output_chunk",
  ),
  ofCalls(
    "invoke.fraction",
    "fraction_complete lies between 0 and 1.",
    SOURCE,
    (made) => count(made, "progress") > 0,
    ({ outcome: { events } }) => {
      const wrong = events.find(
        (event) =>
          event.case === "progress" &&
          event.value.fractionComplete !== undefined &&
          !(event.value.fractionComplete >= 0 && event.value.fractionComplete <= 1),
      );
      return wrong?.case === "progress" ? `sent ${wrong.value.fractionComplete}` : undefined;
    },
    "no call sent progress",
  ),
  {
    id: "invoke.error-shape",
    rule: "An error has a category a plugin may use, and a message.",
    source: "semantics.md, 'Calls'",
    run: async (trial) => {
      const wrong = await (await trial.configured.get()).invoke({ tool: "no_such_operation" });
      const ended = [...(await trial.exchanges()).map(({ outcome }) => outcome), wrong];
      const failed = ended.filter(({ events }) => errorOf(events) !== undefined);
      if (failed.length === 0) return notReached("no call ended with an error");
      return passUnless(
        failed.flatMap(({ events }) => errorProblem(events) ?? []),
        `holds of ${failed.length} errors`,
      );
    },
  },
  ofCalls(
    "invoke.reads-only",
    "A data_source changes nothing.",
    "tool-protocol.txt, 'GetSchema'",
    ({ tool }) => tool.kind === ToolKind.DATA_SOURCE,
    ({ before, after }) => {
      const changed = difference(before, after);
      return changed === undefined ? undefined : `changed the working directory: ${changed}`;
    },
    "no data_source could be called",
  ),
  ofCalls(
    "invoke.idempotent",
    "A second call of an idempotent operation leaves what the first has left.",
    "tool-protocol.txt, 'GetSchema'",
    ({ tool, recipe }) => tool.idempotent && tool.kind === ToolKind.RESOURCE && recipe !== undefined,
    async ({ tool, recipe, args }, trial) => {
      const first = await exchange(await trial.configured.get(), { tool, recipe, args }, trial.scratch);
      await (await trial.configured.get()).invoke({
        tool: tool.name,
        args,
        workingDirectory: trial.scratch.path,
        sessionId: `conformance-${tool.name}`,
      });
      const changed = difference(first.after, trial.scratch.picture());
      return changed === undefined ? undefined : `did not: ${changed}`;
    },
    "no idempotent resource has a recipe",
  ),
  ofCalls(
    "invoke.working-directory",
    "Relative paths are resolved against call_context.working_directory.",
    SOURCE,
    ({ recipe }) => recipe?.relative === true,
    async ({ tool, args, outcome }, trial) => {
      const empty = trial.emptyFolder();
      const elsewhere = await (await trial.configured.get()).invoke({
        tool: tool.name,
        args,
        workingDirectory: empty,
        sessionId: "conformance-elsewhere",
      });
      const same = JSON.stringify(resultOf(elsewhere.events)) === JSON.stringify(resultOf(outcome.events));
      return same && resultOf(outcome.events) !== undefined
        ? "gives the same result in an empty working directory"
        : undefined;
    },
    "no call of the recipe is marked `relative`",
  ),
];
