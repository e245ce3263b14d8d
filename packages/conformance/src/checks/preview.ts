// What a person is shown before a call (tool-protocol.txt, 'Preview'). A plugin may have none.
import type { MessageShape } from "@bufbuild/protobuf";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { type PreviewResponseSchema, ToolService } from "@pluggableharness/protocol/wire";
import { type Check, fail, notReached, type Outcome, pass, passUnless } from "../check.ts";
import { CALL_MS, QUICK_MS, statusOf } from "../connected-plugin.ts";
import { type Callable, callables, plainCall, prepare } from "../exchange.ts";
import { difference } from "../scratch.ts";
import { codeProblems, errorInfoProblems, toolErrorProblems } from "../status-problems.ts";
import { nodeProblems, shapeProblems } from "../tree-problems.ts";
import type { Trial } from "../trial.ts";

type PreviewTree = MessageShape<typeof PreviewResponseSchema>["preview"];

const SOURCE = "tool-protocol.txt, 'Preview'";
const NONE = "the plugin has no Preview";

/** The preview of a call, made as the call would be; the status where it failed. */
async function preview(trial: Trial, callable: Callable): Promise<PreviewTree | GrpcError> {
  const plugin = await trial.configured.get();
  const call = plugin.message(plainCall(callable, trial.scratch));
  try {
    return (await plugin.client.unary(ToolService.method.preview, { call }, { timeoutMs: CALL_MS })).preview;
  } catch (error) {
    if (error instanceof GrpcError) return error;
    throw error;
  }
}

function isUnimplemented(answer: PreviewTree | GrpcError): boolean {
  return answer instanceof GrpcError && answer.code === Code.UNIMPLEMENTED;
}

/** A rule about the preview of every operation that could be called. */
function ofPreviews(
  id: string,
  rule: string,
  problem: (answer: PreviewTree | GrpcError, callable: Callable) => string[],
): Check {
  return {
    id,
    rule,
    source: SOURCE,
    run: async (trial) => {
      const all = callables((await trial.schema()).tools, trial.recipe);
      const problems: string[] = [];
      let seen = 0;
      for (const callable of all) {
        await prepare(await trial.configured.get(), callable, trial.scratch);
        const answer = await preview(trial, callable);
        if (isUnimplemented(answer)) continue;
        seen++;
        problems.push(...problem(answer, callable).map((wrong) => `${callable.tool.name}: ${wrong}`));
      }
      if (seen === 0) return notReached(all.length === 0 ? "no operation could be called" : NONE);
      return passUnless(problems, `holds of ${seen} operations`);
    },
  };
}

/** Looks at the status of a preview that must fail. */
async function ofFailure(trial: Trial, judge: (status: GrpcError) => Outcome): Promise<Outcome> {
  const plugin = await trial.configured.get();
  const call = plugin.message({ tool: "no_such_operation" });
  const status = await statusOf(
    plugin.client.unary(ToolService.method.preview, { call }, { timeoutMs: QUICK_MS }),
  );
  if (status === undefined) return notReached("a preview of an unknown operation is answered");
  return status.code === Code.UNIMPLEMENTED ? notReached(NONE) : judge(status);
}

export const previewChecks: readonly Check[] = [
  {
    id: "preview.empty-call",
    rule: "Preview of an empty call comes back at once, with any answer: the kernel asks it to learn whether there is one.",
    source: "semantics.md, 'Launch'",
    run: async (trial) => {
      const plugin = await trial.configured.get();
      const status = await statusOf(
        plugin.client.unary(ToolService.method.preview, { call: {} }, { timeoutMs: QUICK_MS }),
      );
      if (status?.code === Code.DEADLINE_EXCEEDED) return fail(`no answer within ${QUICK_MS} ms`);
      return status?.code === Code.UNAVAILABLE ? fail(status.message) : pass(status?.name ?? "a preview");
    },
  },
  {
    id: "preview.changes-nothing",
    rule: "Preview changes nothing.",
    source: SOURCE,
    run: async (trial) => {
      const problems: string[] = [];
      const all = callables((await trial.schema()).tools, trial.recipe);
      let seen = 0;
      for (const callable of all) {
        const before = await prepare(await trial.configured.get(), callable, trial.scratch);
        if (isUnimplemented(await preview(trial, callable))) continue;
        seen++;
        const changed = difference(before, trial.scratch.picture());
        if (changed !== undefined) problems.push(`${callable.tool.name}: ${changed}`);
      }
      if (seen === 0) return notReached(all.length === 0 ? "no operation could be called" : NONE);
      return passUnless(problems, `holds of ${seen} operations`);
    },
  },
  ofPreviews(
    "preview.tree",
    "A preview is a tree that can be painted: a root, and content in every node.",
    (answer, { recipe }) => {
      if (!(answer instanceof GrpcError)) return nodeProblems(answer);
      // Arguments that were made up may fit no file; those of a recipe do.
      return recipe === undefined ? [] : [`it failed: ${answer.message}`];
    },
  ),
  ofPreviews("preview.shapes", "Diffs and tables of a preview add up.", (answer) =>
    answer instanceof GrpcError ? [] : shapeProblems(answer),
  ),
  {
    id: "preview.status",
    rule: "A preview that fails says why in a status with ErrorInfo and ToolError, and the code of the category.",
    source: "semantics.md, 'Calls'",
    run: (trial) =>
      ofFailure(trial, (status) =>
        passUnless(
          [...errorInfoProblems(status), ...toolErrorProblems(status), ...codeProblems(status)],
          status.message,
        ),
      ),
  },
];
