// The conversation of `harness run`: a person names operations and fills in their arguments, sees what they would do,
// decides, and sees what came of it. Ctrl-C ends what is under way and not the conversation; twice at an empty prompt
// it leaves.
import type { Agent, Operation, TurnOptions } from "@pluggableharness/host";
import { ui, visibleText } from "@pluggableharness/protocol";
import { EventText, resultText } from "./call-events.ts";
import { answerQuestion, decide, objectOf } from "./decide.ts";
import { findOperation, fullName } from "./find-operation.ts";
import type { FormPerson } from "./form.ts";
import type { History } from "./history.ts";
import { takeOverInterrupt } from "./interrupt.ts";
import { jsonArgument } from "./json-argument.ts";
import type { LineSource } from "./line-source.ts";
import { failureText, plannedText, previewLines } from "./planned-text.ts";
import { say, showNode, write } from "./screen.ts";

export interface ConversationOptions {
  readonly operations: readonly Operation[];
  readonly lines: LineSource;
  readonly history: History;
  /** Ends the conversation. */
  readonly signal: AbortSignal;
}

const help = `An operation's name alone asks for its arguments; or give them as JSON, or as @file:
  read_file
  read_file {"path":"README.md"}
operations   what there is
quit         leave; Ctrl-D does too
Ctrl-C       ends the call or the question, not the conversation; twice here it leaves`;

/** Converses until the person leaves. */
export async function converse(agent: Agent, options: ConversationOptions): Promise<void> {
  const { operations, lines, history, signal } = options;
  const words = [...operations.flatMap((each) => [each.name, fullName(each)]), "operations", "help", "quit"];
  let turn: AbortController | undefined;
  using _interrupt = takeOverInterrupt(() => {
    turn?.abort(new Error("interrupted"));
    lines.interrupt();
  });
  let isLeaving = false;
  while (!signal.aborted) {
    const answered = await lines.ask({ prompt: "harness> ", history: history.newestFirst, words });
    if (answered.kind === "end") return;
    if (answered.kind === "interrupted") {
      if (answered.wasEmpty && isLeaving) return;
      isLeaving = answered.wasEmpty;
      if (isLeaving) say("(Ctrl-C again leaves)");
      continue;
    }
    isLeaving = false;
    history.add(answered.text);
    const text = answered.text.trim();
    if (text === "quit" || text === "exit") return;
    turn = new AbortController();
    try {
      await obey(text, agent, options, turn);
    } catch (error) {
      if (signal.aborted) return;
      say(
        turn.signal.aborted
          ? "cancelled"
          : visibleText(error instanceof Error ? error.message : String(error)),
      );
    }
    turn = undefined;
  }
}

async function obey(
  text: string,
  agent: Agent,
  { operations, lines, signal: ending }: ConversationOptions,
  turn: AbortController,
): Promise<void> {
  if (text === "") return;
  if (text === "help") return say(help);
  if (text === "operations") return showOperations(operations);
  const signal = AbortSignal.any([turn.signal, ending]);
  const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  const operation = findOperation(operations, name);
  const person = personAt(lines, turn);
  if (rest !== "" && !/^[{@]/.test(rest))
    throw new Error("arguments are JSON or @file; without any you are asked");
  const args =
    rest === "" ? await objectOf(operation.input, person) : await jsonArgument(rest, "the arguments", signal);
  signal.throwIfAborted();
  if (args === undefined) return;
  const call = { id: "call-1", provider: operation.provider, operation: operation.name, arguments: args };
  const plan = await agent.plan([call], { signal, previewAll: true });
  for (const planned of plan.calls) say(plannedText(planned));
  if (plan.calls.some(({ status }) => status === "refused")) return;
  const events = new EventText();
  const outcome = await agent.apply(plan, { signal, ...answers(person), ...streamTo(events, turn) });
  for (const done of outcome.outcomes) {
    await write(events.endLine());
    if (done.outcome !== "applied") say(failureText(done.error));
    else say(await resultText(agent.render(done, { signal }), done.payload));
  }
}

/** What the gate asks, asked at the prompt. The item itself was shown when it was planned. */
function answers(person: FormPerson): Pick<TurnOptions, "ask" | "answer"> {
  let shown: unknown;
  const showAgain = (problem: string | undefined): void => {
    if (problem !== undefined) person.say(visibleText(problem));
  };
  return {
    ask: async (planned, { problem }) => {
      // A corrected call has another input, and so another preview.
      if (shown !== undefined && shown !== planned.item.input)
        for (const line of previewLines(planned)) person.say(line);
      shown = planned.item.input;
      showAgain(problem);
      return await decide(planned, person);
    },
    answer: async (planned, { problem }) => {
      showAgain(problem);
      return await answerQuestion(planned, person);
    },
  };
}

function streamTo(events: EventText, turn: AbortController): Pick<TurnOptions, "onEvent" | "onRetry"> {
  return {
    onEvent: async (_planned, event) => {
      // Nobody reads on.
      if (!(await write(events.of(event)))) turn.abort(new Error("the output is closed"));
    },
    onRetry: (_planned, failure) => say(`${events.endLine()}${failureText(failure)}; trying again`),
  };
}

/** The person at the prompt. Ctrl-C at a question ends the turn. */
function personAt(lines: LineSource, turn: AbortController): FormPerson {
  return {
    say,
    ask: async (prompt) => {
      const answered = await lines.ask({ prompt });
      if (answered.kind === "line") return answered.text;
      if (answered.kind === "interrupted") turn.abort(new Error("interrupted"));
      return undefined;
    },
  };
}

/** The table of what there is. */
export function showOperations(operations: readonly Operation[]): void {
  const rows = operations.map((operation) => [
    fullName(operation),
    operation.kind,
    operation.risk,
    operation.description.split(/(?<=\.)\s/, 1)[0] ?? "",
  ]);
  showNode(ui.table(["operation", "kind", "risk", "what it does"], rows));
}
