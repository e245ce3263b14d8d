// Operations that ask a person (semantics.md, 'Interactive calls'). Nobody is attached during a run.
import { ToolKind, ToolService } from "@pluggableharness/protocol/wire";
import { fittingArguments } from "../arguments.ts";
import { type Check, notReached, passUnless } from "../check.ts";
import { QUICK_MS, type ToolSchema } from "../connected-plugin.ts";
import { endOf, errorOf, inputNode, resultOf } from "../exchange.ts";
import type { JsonObject } from "../recipe.ts";
import { nodeProblems } from "../tree-problems.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "semantics.md, 'Interactive calls'";

interface Question {
  readonly tool: ToolSchema;
  readonly args: JsonObject;
}

function ofQuestions(
  id: string,
  rule: string,
  problem: (question: Question, trial: Trial) => Promise<string | undefined>,
): Check {
  return {
    id,
    rule,
    source: SOURCE,
    run: async (trial) => {
      const questions = (await trial.schema()).tools
        .filter(({ kind }) => kind === ToolKind.INTERACTIVE)
        .map((tool) => ({
          tool,
          args: trial.recipe.calls[tool.name]?.arguments ?? fittingArguments(inputNode(tool)),
        }));
      if (questions.length === 0) return notReached("no operation is interactive");
      const problems: string[] = [];
      for (const question of questions) {
        const wrong = await problem(question, trial);
        if (wrong !== undefined) problems.push(`${question.tool.name} ${wrong}`);
      }
      return passUnless(problems, questions.map(({ tool }) => tool.name).join(", "));
    },
  };
}

export const interactiveChecks: readonly Check[] = [
  ofQuestions(
    "interactive.prompt",
    "Preview of an interactive call is its prompt: a tree.",
    async ({ tool, args }, trial) => {
      const plugin = await trial.configured.get();
      const call = plugin.message({ tool: tool.name, args });
      const { preview } = await plugin.client.unary(
        ToolService.method.preview,
        { call },
        { timeoutMs: QUICK_MS },
      );
      return nodeProblems(preview)[0];
    },
  ),
  ofQuestions(
    "interactive.ends",
    "An Invoke with nobody attached is refused, or answered: it never hangs.",
    async ({ tool, args }, trial) => {
      const plugin = await trial.configured.get();
      const outcome = await plugin.invoke({ tool: tool.name, args }, { timeoutMs: QUICK_MS });
      if (errorOf(outcome.events) !== undefined || resultOf(outcome.events) !== undefined) return undefined;
      return `ended with ${endOf(outcome)}`;
    },
  ),
];
