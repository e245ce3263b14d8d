// A person's approval at the terminal, where there is a person.
import { createInterface } from "node:readline/promises";

export interface Approver {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

export type Approval = "approved" | "refused" | "nobody to ask";

/** Asks until the answer is yes or no; enter means yes, the end of the input no. Throws where the signal fires. */
export async function askApproval(question: string, { input, output, signal }: Approver): Promise<Approval> {
  if (input.isTTY !== true || output.isTTY !== true) return "nobody to ask";
  signal.throwIfAborted();
  const terminal = createInterface({ input, output, signal, prompt: `${question} [Y/n] ` });
  // A terminal in raw mode gives Ctrl-C as a key; it must do what it does everywhere else.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    terminal.prompt();
    for await (const answer of terminal) {
      if (/^\s*(y(es)?)?\s*$/i.test(answer)) return "approved";
      if (/^\s*no?\s*$/i.test(answer)) return "refused";
      terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  // The question stands without an answer; what comes next begins a line.
  output.write("\n");
  signal.throwIfAborted();
  return "refused";
}
