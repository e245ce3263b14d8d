// An interactive call: its preview is the question, a person's answer is its result (semantics.md, 'Interactive
// calls'). The plugin is not invoked.
import { denied, inWords } from "./approve.ts";
import { resultProblems } from "./call-operation.ts";
import type { JsonObject, PlannedItem } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a person answers to a question; `decline` is no answer. */
export type Reply =
  | { readonly kind: "answer"; readonly payload: JsonObject }
  | { readonly kind: "decline"; readonly reason?: string | undefined };

/**
 * Shows the question to a person: `item.preview`, or the arguments where there is none. The answer has to fit
 * `operation.output`; `problem` says what did not fit in the last one.
 */
export type Answer = (
  item: PlannedItem,
  context: { readonly signal: AbortSignal; readonly problem?: string },
) => Promise<Reply>;

/** The answer's payload, which fits the output schema. Throws permission_denied where there is none. */
export async function takeAnswer(
  planned: PlannedItem,
  answer: Answer | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (answer === undefined) throw denied(planned, "it asks a person, and nobody is attached");
  let problem: string | undefined;
  for (;;) {
    const context = { signal, ...(problem !== undefined && { problem }) };
    const reply = await untilAborted(answer(planned, context), signal);
    if (reply.kind === "decline") throw denied(planned, inWords("the person did not answer", reply.reason));
    problem = resultProblems(planned.operation.output, reply.payload);
    if (problem === undefined) return reply.payload;
  }
}
