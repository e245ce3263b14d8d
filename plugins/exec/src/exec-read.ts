// exec_read: what a session has written since a cursor, and its screen (catalog.md, 'exec').
import { outputChunk, s, ui } from "@pluggableharness/plugin";
import { exec } from "./plugin.ts";
import { outputSince } from "./session-output.ts";
import { sessionState, sessionStateSchema, stateLine } from "./session-view.ts";
import { scrollback } from "./view.ts";
import { quietAfterOutput } from "./wait-for-quiet.ts";

const CHUNK_BYTES = 256 * 1024;

export const execRead = exec.defineTool({
  name: "exec_read",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 60_000,
  concurrency: { safe: true },
  description:
    "Reads what a session has written since a cursor: waits for output, and then until it is quiet or the wait is over. With screen it also shows the terminal as it is.",
  input: s.object({
    session_id: s.string("From exec_start."),
    cursor: s.optional(s.integer("From the reply before; everything that is kept by default.", { min: 0 })),
    wait_ms: s.optional(s.integer("Longest wait; 1000 by default.", { min: 0, max: 50_000 })),
    screen: s.optional(s.boolean("Show the screen, for programs that draw.")),
  }),
  output: s.object({
    operation: s.literal("exec_read"),
    ...sessionStateSchema,
    output: s.string("The new output as text."),
    cursor: s.number("For the next read."),
    skipped_bytes: s.number("Bytes after the cursor that are not kept any more; the log has them."),
    truncated: s.boolean("The middle of the output is left out."),
    screen: s.optional(s.string("The lines of the screen.")),
    cursor_row: s.optional(s.number("Of the terminal's cursor, from 0.")),
    cursor_column: s.optional(s.number("Of the terminal's cursor, from 0.")),
    alternate_screen: s.optional(s.boolean("A full-screen program draws.")),
    log_path: s.string("The full output as a file, up to its limit."),
    log_problem: s.optional(s.string("Why the file does not hold all of it.")),
  }),

  preview: ({ session_id }) => ui.text(`Read the output of session ${session_id}`),

  async *invoke({ session_id, cursor = 0, wait_ms = 1_000, screen = false }, call) {
    const session = call.state.sessions.get(session_id, call.context.sessionId);
    await quietAfterOutput(session, cursor, wait_ms, call.signal);
    call.signal.throwIfAborted();
    const { bytes } = session.ring.from(cursor);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield outputChunk("stdout", bytes.subarray(at, at + CHUNK_BYTES));
    }
    await session.untilShown();
    const picture = session.screen.picture();
    const size = { columns: session.screen.columns, rows: session.screen.rows };
    const since = await outputSince(session, cursor, size, call.state.settings.maxOutputBytes);
    return {
      operation: "exec_read",
      ...sessionState(session),
      output: since.text.text,
      cursor: since.cursor,
      skipped_bytes: since.skipped,
      truncated: since.text.truncated,
      ...(screen && {
        screen: picture.lines.join("\n").trimEnd(),
        cursor_row: picture.cursorRow,
        cursor_column: picture.cursorColumn,
        alternate_screen: picture.alternate,
      }),
      log_path: session.log.path,
      ...(session.log.problem !== undefined && { log_problem: session.log.problem }),
    };
  },

  render: (result) =>
    ui.group(
      scrollback(result.screen ?? result.output, result.screen === undefined ? "Output" : "Screen"),
      stateLine(result),
    ),
});
