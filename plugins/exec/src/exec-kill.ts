// exec_kill: ends a session with all its processes (catalog.md, 'exec').
import { s, ui } from "@pluggableharness/plugin";
import { exec } from "./plugin.ts";
import { sessionState, sessionStateSchema, stateLine } from "./session-view.ts";

export const execKill = exec.defineTool({
  name: "exec_kill",
  kind: "resource",
  risk: "moderate",
  idempotent: true,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["session_id"] },
  description:
    "Ends a session: its program and everything that started from it, politely and after a grace by force. Its output can still be read.",
  input: s.object({ session_id: s.string("From exec_start.") }),
  output: s.object({
    operation: s.literal("exec_kill"),
    ...sessionStateSchema,
    signals_sent: s.array(s.string("A signal.")),
    survivors: s.array(s.number("Process id."), "Processes that could not be ended."),
  }),

  preview: ({ session_id }, call) => {
    const command = call.state.sessions
      .of(call.context.sessionId)
      .find(({ facts }) => facts.id === session_id)?.facts.command;
    const words = ui.text(`End session ${session_id} and everything that started from it`);
    return command === undefined ? words : ui.group(words, ui.codeBlock(command, "bash"));
  },

  async invoke({ session_id }, call) {
    const session = call.state.sessions.get(session_id, call.context.sessionId);
    const report = await session.end();
    const signals_sent = [...(report?.signals ?? [])];
    const survivors = (report?.survivors ?? []).map(({ pid }) => pid);
    return {
      operation: "exec_kill",
      ...sessionState(session),
      signals_sent,
      survivors,
    };
  },

  render: (result) => stateLine(result),
});
