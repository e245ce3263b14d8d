// Where the lines of a conversation come from: a terminal, which has editing and history while a question stands and
// is left as it was in between, so that Ctrl-C works as everywhere; or a pipe, whose lines are taken in order and shown
// beside their prompts.
import { createInterface, type Interface } from "node:readline";

/** An answer: a line, the end of the input, or Ctrl-C. */
export type Answered =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupted"; readonly wasEmpty: boolean };

export interface Question {
  readonly prompt: string;
  /** Lines that the arrow keys bring back, the last one first. */
  readonly history?: readonly string[];
  /** What Tab may complete. */
  readonly words?: readonly string[];
}

/** Asks one question at a time. */
export interface LineSource extends Disposable {
  ask(question: Question): Promise<Answered>;
  /** Ctrl-C from outside of the terminal, such as `kill -INT`: answers the question that stands. */
  interrupt(): void;
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Lines of a pipe that are read ahead; then the pipe waits. */
const MAX_AHEAD = 100;

/** The source for this input. */
export function openLines(terminal: Terminal): LineSource {
  const { input, output } = terminal;
  return input.isTTY === true && output.isTTY === true ? terminalLines(terminal) : pipedLines(terminal);
}

function terminalLines({ input, output }: Terminal): LineSource {
  let standing: Interface | undefined;
  /** What was pasted beyond the line that was asked for: whole lines, and the beginning of one. */
  let [ahead, rest]: [string[], string] = [[], ""];
  return {
    ask: ({ prompt, history = [], words = [] }) =>
      new Promise((resolve) => {
        const pasted = ahead.shift();
        if (pasted !== undefined) {
          output.write(`${prompt}${pasted}\n`);
          resolve({ kind: "line", text: pasted });
          return;
        }
        // One for each question: closing it takes the terminal out of raw mode.
        const lines = createInterface({
          input,
          output,
          prompt,
          history: [...history],
          historySize: history.length + 1,
          completer: (line: string) => [words.filter((word) => word.startsWith(line)), line],
        });
        standing = lines;
        const answer = (answered: Answered): void => {
          if (standing !== lines) return;
          standing = undefined;
          if (answered.kind !== "line") output.write("\n");
          // Later, since all lines that were pasted together come together.
          setImmediate(() => {
            rest = answered.kind === "line" ? lines.line : "";
            lines.close();
            resolve(answered);
          });
        };
        lines.on("line", (text) => {
          if (standing === lines) answer({ kind: "line", text });
          else ahead.push(text);
        });
        lines.once("SIGINT", () => {
          ahead = [];
          answer({ kind: "interrupted", wasEmpty: lines.line === "" });
        });
        lines.once("close", () => answer({ kind: "end" }));
        lines.prompt();
        if (rest !== "") lines.write(rest);
        rest = "";
      }),
    interrupt: () => standing?.emit("SIGINT"),
    [Symbol.dispose]: () => standing?.close(),
  };
}

function pipedLines({ input, output }: Terminal): LineSource {
  const lines = createInterface({ input, terminal: false });
  const ahead: string[] = [];
  let hasEnded = false;
  let standing: ((answered: Answered) => void) | undefined;
  const settle = (): void => {
    if (standing === undefined) return;
    const text = ahead.shift();
    if (ahead.length === 0 && !hasEnded) lines.resume();
    if (text !== undefined) {
      output.write(`${text}\n`);
      standing({ kind: "line", text });
    } else if (hasEnded) {
      output.write("\n");
      standing({ kind: "end" });
    } else return;
    standing = undefined;
  };
  lines.on("line", (text) => {
    ahead.push(text);
    if (ahead.length >= MAX_AHEAD) lines.pause();
    settle();
  });
  lines.once("close", () => {
    hasEnded = true;
    settle();
  });
  return {
    ask: ({ prompt }) =>
      new Promise((resolve) => {
        output.write(prompt);
        standing = resolve;
        settle();
      }),
    interrupt: () => {
      if (standing === undefined) return;
      output.write("\n");
      standing({ kind: "interrupted", wasEmpty: true });
      standing = undefined;
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
