// What a person is shown afterwards, perhaps years later (semantics.md, 'Render'). A plugin may have none.
import { create, equals, toBinary } from "@bufbuild/protobuf";
import { Code, GrpcError } from "@pluggableharness/grpc";
import {
  RenderTreeSchema,
  ToolCallEventSchema,
  ToolErrorCategory,
  ToolResultEventSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { type Check, fail, notReached, type Outcome, pass, passUnless } from "../check.ts";
import { type ConnectedPlugin, QUICK_MS } from "../connected-plugin.ts";
import { resultOf } from "../exchange.ts";
import type { JsonObject } from "../recipe.ts";
import { codeProblems, errorInfoProblems, toolErrorProblems } from "../status-problems.ts";
import { nodeProblems, type RenderTree, shapeProblems } from "../tree-problems.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "semantics.md, 'Render'";
const NONE = "the plugin has no Render";
const VERSION = "1";

/** The tree, or the status it failed with. */
async function render(
  plugin: ConnectedPlugin,
  payload: Uint8Array,
  schemaVersion: string,
): Promise<RenderTree | undefined | GrpcError> {
  try {
    return (
      await plugin.client.unary(
        ToolService.method.render,
        { payload, schemaVersion },
        { timeoutMs: QUICK_MS },
      )
    ).tree;
  } catch (error) {
    if (error instanceof GrpcError) return error;
    throw error;
  }
}

function resultEvent(payload: JsonObject): Uint8Array {
  const event = create(ToolResultEventSchema, {
    toolCallId: "call-1",
    outcome: { case: "result", value: { payload: { ...payload } } },
  });
  return toBinary(ToolResultEventSchema, event);
}

interface Stored {
  readonly name: string;
  readonly payload: Uint8Array;
}

/** The results and calls of this run as they would be stored. */
async function stored(trial: Trial, what: "results" | "calls"): Promise<Stored[]> {
  const made = await trial.exchanges();
  if (what === "results")
    return made.flatMap(({ tool, outcome }) => {
      const payload = resultOf(outcome.events);
      return payload === undefined ? [] : [{ name: tool.name, payload: resultEvent(payload) }];
    });
  const plugin = await trial.configured.get();
  return made.map(({ tool, args }) => ({
    name: tool.name,
    payload: toBinary(
      ToolCallEventSchema,
      create(ToolCallEventSchema, { call: plugin.message({ tool: tool.name, args }) }),
    ),
  }));
}

/** A rule about the trees of what was stored. */
function ofTrees(
  id: string,
  rule: string,
  what: "results" | "calls",
  problem: (tree: RenderTree | undefined) => string[],
): Check {
  return {
    id,
    rule,
    source: SOURCE,
    run: async (trial) => {
      const events = await stored(trial, what);
      if (events.length === 0) return notReached("no operation could be called with success");
      const problems: string[] = [];
      for (const { name, payload } of events) {
        const tree = await render(await trial.configured.get(), payload, VERSION);
        if (tree instanceof GrpcError && tree.code === Code.UNIMPLEMENTED) return notReached(NONE);
        const wrong = tree instanceof GrpcError ? [`it failed: ${tree.message}`] : problem(tree);
        problems.push(...wrong.map((words) => `${name}: ${words}`));
      }
      return passUnless(problems, `${events.length} ${what} are rendered`);
    },
  };
}

/** Looks at what becomes of bytes that cannot be rendered. */
async function ofRefusal(
  trial: Trial,
  payload: Uint8Array,
  version: string,
  judge: (status: GrpcError) => Outcome,
): Promise<Outcome> {
  const answer = await render(await trial.configured.get(), payload, version);
  if (!(answer instanceof GrpcError)) return fail("it was rendered");
  return answer.code === Code.UNIMPLEMENTED ? notReached(NONE) : judge(answer);
}

function invalidArgument(status: GrpcError): Outcome {
  if (status.code !== Code.INVALID_ARGUMENT) return fail(`${status.name}: ${status.message}`);
  return status.message.trim() === "" ? fail("it was refused without a word") : pass(status.message);
}

/** Bytes that are no message: a tag that promises more than there is. */
const noMessage = Uint8Array.from([0x0a, 0xff, 0xff, 0xff, 0x7f, 0x01]);
const emptyResult = resultEvent({});

export const renderChecks: readonly Check[] = [
  ofTrees("render.result", "A stored result renders as a tree that can be painted.", "results", nodeProblems),
  ofTrees("render.call", "A stored call renders as a tree that can be painted.", "calls", nodeProblems),
  ofTrees("render.shapes", "Diffs and tables of a rendered result add up.", "results", shapeProblems),
  {
    id: "render.error",
    rule: "A stored error renders, or is refused with a status: it never crashes.",
    source: SOURCE,
    run: async (trial) => {
      const event = create(ToolResultEventSchema, {
        toolCallId: "call-1",
        outcome: {
          case: "error",
          value: { category: ToolErrorCategory.EXECUTION_FAILED, message: "it failed" },
        },
      });
      const answer = await render(
        await trial.configured.get(),
        toBinary(ToolResultEventSchema, event),
        VERSION,
      );
      if (!(answer instanceof GrpcError)) return passUnless(nodeProblems(answer), "it was rendered");
      if (answer.code === Code.UNIMPLEMENTED) return notReached(NONE);
      return answer.code === Code.UNAVAILABLE ? fail(answer.message) : pass(answer.message);
    },
  },
  {
    id: "render.stable",
    rule: "The same bytes render the same each time.",
    source: SOURCE,
    run: async (trial) => {
      const [first] = await stored(trial, "results");
      if (first === undefined) return notReached("no operation could be called with success");
      const plugin = await trial.configured.get();
      const [one, two] = [
        await render(plugin, first.payload, VERSION),
        await render(plugin, first.payload, VERSION),
      ];
      if (one === undefined || two === undefined || one instanceof GrpcError || two instanceof GrpcError)
        return notReached("it was not rendered");
      return equals(RenderTreeSchema, one, two)
        ? pass(first.name)
        : fail(`${first.name} rendered differently the second time`);
    },
  },
  {
    id: "render.unknown-version",
    rule: "An unknown schema_version is InvalidArgument, with a message.",
    source: SOURCE,
    run: (trial) => ofRefusal(trial, emptyResult, "no-such-version", invalidArgument),
  },
  {
    id: "render.undecodable",
    rule: "Bytes that do not decode are InvalidArgument, with a message.",
    source: SOURCE,
    run: (trial) => ofRefusal(trial, noMessage, VERSION, invalidArgument),
  },
  {
    id: "render.status",
    rule: "A refusal's status carries ErrorInfo and ToolError, and the code of the category.",
    source: "semantics.md, 'Calls'",
    run: async (trial) =>
      ofRefusal(trial, noMessage, VERSION, (status) =>
        passUnless(
          [...errorInfoProblems(status), ...toolErrorProblems(status), ...codeProblems(status)],
          status.message,
        ),
      ),
  },
  {
    id: "render.foreign-payload",
    rule: "A payload it never emitted is rendered or refused: it never crashes.",
    source: SOURCE,
    run: async (trial) => {
      const plugin = await trial.configured.get();
      const strange = [{}, { operation: "no_such_operation" }, { operation: 42, lines: "none" }];
      for (const payload of strange) {
        const answer = await render(plugin, resultEvent(payload), VERSION);
        if (answer instanceof GrpcError && answer.code === Code.UNIMPLEMENTED) return notReached(NONE);
        if (answer instanceof GrpcError && answer.code === Code.UNAVAILABLE)
          return fail(`${JSON.stringify(payload)}: ${answer.message}`);
      }
      return plugin.subject.end === undefined ? pass("it goes on") : fail("the plugin ended");
    },
  },
];
