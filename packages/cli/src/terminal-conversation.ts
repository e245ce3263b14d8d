// A conversation on this process's own input and output: what there is at first, the history, and the end.
import type { Agent } from "@pluggableharness/host";
import { visibleText } from "@pluggableharness/protocol";
import { converse, showOperations } from "./conversation.ts";
import { History, historyPath } from "./history.ts";
import { openLines } from "./line-source.ts";
import { failureText } from "./planned-text.ts";
import { say } from "./screen.ts";

/** Converses until the person leaves. Throws the signal's reason where that ends it. */
export async function converseAtTerminal(agent: Agent, signal: AbortSignal): Promise<void> {
  const { operations, failures } = await agent.operations({ signal });
  showOperations(operations);
  for (const { error } of failures) say(failureText(error));
  say("Name an operation; help says more.");
  const warn = (problem: string): void => void process.stderr.write(`${visibleText(problem)}\n`);
  const history = new History(historyPath(process.env), warn);
  using lines = openLines({ input: process.stdin, output: process.stdout });
  const onEnd = (): void => lines[Symbol.dispose]();
  signal.addEventListener("abort", onEnd);
  try {
    await converse(agent, { operations, lines, history, signal });
  } finally {
    signal.removeEventListener("abort", onEnd);
  }
  signal.throwIfAborted();
}
