// exec_list: the sessions, and what commands have left running in the background (catalog.md, 'exec').
import { s, ui } from "@pluggableharness/plugin";
import { markerOf } from "./command-environment.ts";
import { exec } from "./plugin.ts";
import { commandLine, findProcesses } from "./process-table.ts";
import { sessionState, sessionStateSchema } from "./session-view.ts";

const MAX_LISTED = 100;

export const execList = exec.defineTool({
  name: "exec_list",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 10_000,
  concurrency: { safe: true },
  description: "Lists the sessions, and processes that commands have left running in the background.",
  input: s.object({}),
  output: s.object({
    operation: s.literal("exec_list"),
    sessions: s.array(
      s.object({
        ...sessionStateSchema,
        command: s.string("As it was given."),
        directory: s.string("Where it was started."),
        pid: s.number("Process id of the shell."),
        started: s.string("When."),
        output_bytes: s.number("Written so far; also the cursor at the end."),
        quiet_ms: s.number("Since the last output."),
        processes: s.number("Of it that run."),
      }),
    ),
    background: s.array(
      s.object({ pid: s.number("Process id."), command: s.string("Command line.") }),
      "Left by commands that have ended; they end with the plugin.",
    ),
    truncated: s.boolean("There are more background processes."),
  }),

  preview: () => ui.text("List the sessions"),

  async invoke(_input, call) {
    const { state, context } = call;
    const inSessions = new Set<number>();
    const sessions = state.sessions.of(context.sessionId).map((session) => {
      const processes = session.running.processes();
      for (const { pid } of processes) inSessions.add(pid);
      return {
        ...sessionState(session),
        command: session.facts.command.slice(0, 1_000),
        directory: session.facts.directory,
        pid: session.running.child.pid,
        started: session.startedAt.toISOString(),
        output_bytes: session.ring.total,
        quiet_ms: Math.round(session.quietMs),
        processes: processes.length,
      };
    });
    const others = findProcesses({ marker: markerOf(state.id) }).filter(({ pid }) => !inSessions.has(pid));
    const background = others
      .slice(0, MAX_LISTED)
      .map((found) => ({ pid: found.pid, command: commandLine(found) }));
    return { operation: "exec_list", sessions, background, truncated: others.length > background.length };
  },

  render({ sessions, background }) {
    const rows = sessions.map(({ session_id, state, command, summary }) => [
      session_id,
      state,
      command,
      summary,
    ]);
    const left = background.map(({ pid, command }) => [String(pid), command]);
    return ui.group(
      sessions.length === 0 ? ui.text("No sessions.") : ui.table(["session", "state", "command", ""], rows),
      ...(left.length === 0 ? [] : [ui.text("Left in the background:"), ui.table(["pid", "command"], left)]),
    );
  },
});
