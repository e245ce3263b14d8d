// exec_write: text and keys for a session (catalog.md, 'exec').
import { s, ToolError, ui } from "@pluggableharness/plugin";
import { KEY_WORDS, keySequence } from "./keys.ts";
import { checkLineLength } from "./line-guard.ts";
import { exec } from "./plugin.ts";
import type { Session } from "./session.ts";
import { sessionState, sessionStateSchema, stateLine } from "./session-view.ts";
import { MAX_COLUMNS, MAX_ROWS } from "./terminal-screen.ts";

const MAX_TEXT_BYTES = 64 * 1024;
const TAIL_BYTES = 1_000;

export const execWrite = exec.defineTool({
  name: "exec_write",
  kind: "resource",
  risk: "high",
  idempotent: false,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["session_id"] },
  description:
    "Writes to a session's terminal: text exactly as given, then named keys. A line needs its enter key. Read the answer with exec_read from the cursor of the reply.",
  input: s.object({
    session_id: s.string("From exec_start."),
    text: s.optional(s.string("Typed as it is; no end of line is added.")),
    keys: s.optional(
      s.array(s.string("A key."), `Pressed after the text: ${KEY_WORDS}. ctrl_d is the end of input.`),
    ),
    columns: s.optional(s.integer("New width of the terminal.", { min: 2, max: MAX_COLUMNS })),
    rows: s.optional(s.integer("New height of the terminal.", { min: 1, max: MAX_ROWS })),
  }),
  output: s.object({
    operation: s.literal("exec_write"),
    ...sessionStateSchema,
    accepted_bytes: s.number("Bytes that were written."),
    cursor: s.number("The end of the output before: exec_read from here shows the answer."),
  }),

  preview: ({ session_id, text, keys }) =>
    ui.group(
      ui.text(`Write to session ${session_id}`),
      ...(text === undefined ? [] : [ui.codeBlock(text)]),
      ...(keys === undefined ? [] : [ui.text(`Keys: ${keys.join(", ")}`)]),
    ),

  async invoke({ session_id, text = "", keys = [], columns, rows }, call) {
    const input = Buffer.from(text + keys.map(sequenceOf).join(""));
    const session = call.state.sessions.get(session_id, call.context.sessionId);
    if (input.length > MAX_TEXT_BYTES) {
      throw new ToolError(
        "invalid_arguments",
        `text: ${input.length} bytes are too many; up to ${MAX_TEXT_BYTES} are accepted at a time`,
      );
    }
    if (columns !== undefined || rows !== undefined) {
      session.resize({ columns: columns ?? session.screen.columns, rows: rows ?? session.screen.rows });
    }
    if (session.status !== undefined && input.length > 0) throw sessionEnded(session);
    const { terminal } = session.running;
    if (terminal !== undefined) await checkLineLength(text, terminal.device);
    const cursor = session.ring.total;
    session.write(input);
    return { operation: "exec_write", ...sessionState(session), accepted_bytes: input.length, cursor };
  },

  render: (result) => ui.group(ui.text(`${result.accepted_bytes} bytes written.`), stateLine(result)),
});

function sequenceOf(name: string): string {
  const sequence = keySequence(name);
  if (sequence !== undefined) return sequence;
  throw new ToolError(
    "invalid_arguments",
    `keys: ${JSON.stringify(name.slice(0, 50))} is no key; accepted are ${KEY_WORDS}`,
  );
}

function sessionEnded(session: Session): ToolError {
  const { summary } = sessionState(session);
  const tail = session.ring.from(session.ring.total - TAIL_BYTES).bytes.toString();
  return new ToolError(
    "execution_failed",
    `session_ended: nothing was written, since the session has ended. ${summary} Its last output: ${tail}`,
    { details: { reason: "session_ended" } },
  );
}
