// exec_start: a program in the background under a terminal (catalog.md, 'exec').
import { s, ui } from "@pluggableharness/plugin";
import { openPlace } from "./place.ts";
import { exec } from "./plugin.ts";
import { previewCommand } from "./preview.ts";
import { checkCommand, startCommand } from "./running-command.ts";
import { Session } from "./session.ts";
import { outputSince } from "./session-output.ts";
import { sessionState, sessionStateSchema, stateLine } from "./session-view.ts";
import { MAX_COLUMNS, MAX_ROWS, TerminalScreen } from "./terminal-screen.ts";
import { scrollback } from "./view.ts";
import { quietAfterOutput } from "./wait-for-quiet.ts";

/** Long enough to see a program that fails at once. */
const SETTLE_MS = 500;

export const execStart = exec.defineTool({
  name: "exec_start",
  kind: "resource",
  risk: "high",
  idempotent: false,
  timeoutMs: 30_000,
  concurrency: { safe: false },
  description:
    "Starts a program in the background under a terminal, such as a server or an interactive one. Answer it with exec_write, look at it with exec_read, end it with exec_kill.",
  input: s.object({
    command: s.string("The command, in the shell's language."),
    working_directory: s.optional(s.string("Where it starts; the working directory of the call by default.")),
    columns: s.optional(s.integer("Width of the terminal; 120 by default.", { min: 2, max: MAX_COLUMNS })),
    rows: s.optional(s.integer("Height of the terminal; 30 by default.", { min: 1, max: MAX_ROWS })),
    session_id: s.optional(
      s.string("A name for the session; one of that name is ended first. Made up where there is none."),
    ),
    settle_ms: s.optional(
      s.integer(`Longest wait for its first output or its end; ${SETTLE_MS} by default.`, {
        min: 0,
        max: 20_000,
      }),
    ),
  }),
  output: s.object({
    operation: s.literal("exec_start"),
    ...sessionStateSchema,
    pid: s.number("Process id of the shell."),
    output: s.string("Its first output."),
    cursor: s.number("For exec_read, to go on from here."),
    log_path: s.string("The full output as a file, up to its limit."),
  }),

  preview: (input, call) => previewCommand(input, call, undefined),

  async invoke(input, call) {
    checkCommand(input.command);
    const { state } = call;
    const size = { columns: input.columns ?? 120, rows: input.rows ?? 30 };
    using place = openPlace(input.working_directory, call);
    const owner = call.context.sessionId;
    const session = await state.sessions.start(owner, input.session_id, async (id) => {
      const screen = await TerminalScreen.open(size, { newlineReturns: false });
      const facts = {
        id,
        owner,
        command: input.command,
        directory: place.realPath,
      };
      const made = new Session(facts, state.logs.start(), screen);
      try {
        const running = await startCommand(
          state,
          { command: input.command, place, inputPath: undefined, attended: true, terminal: size },
          {
            data: (_stream, bytes) => made.data(bytes),
            ended: () => made.ended(),
            exited: (status) => made.exited(status),
          },
        );
        made.attach(running);
        return made;
      } catch (error) {
        made.close();
        throw error;
      }
    });
    await quietAfterOutput(session, 0, input.settle_ms ?? SETTLE_MS, call.signal);
    const { text, cursor } = await outputSince(session, 0, size, state.settings.maxOutputBytes);
    return {
      operation: "exec_start",
      ...sessionState(session),
      pid: session.running.child.pid,
      output: text.text,
      cursor,
      log_path: session.log.path,
    };
  },

  render: (result) => ui.group(scrollback(result.output), stateLine(result)),
  renderCall: ({ command }) => ui.codeBlock(command, "bash"),
});
