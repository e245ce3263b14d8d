// What the operations on sessions tell of a session, and how it is shown.
import { type RenderNode, s, ui } from "@pluggableharness/plugin";
import { exitWords } from "./end-in-words.ts";
import type { Session } from "./session.ts";
import { exitStyle } from "./view.ts";

/** Properties of an output schema. */
export const sessionStateSchema = {
  session_id: s.string("Names the session in the other operations."),
  state: s.enum(["running", "waiting_input", "ended"], "waiting_input: it sits in a read of its terminal."),
  exit_code: s.optional(s.number("When it has ended; 128 and the signal's number after a signal.")),
  signal: s.optional(s.string("Such as SIGSEGV.")),
  summary: s.string("The state in words."),
};

export interface SessionState {
  readonly session_id: string;
  readonly state: "running" | "waiting_input" | "ended";
  readonly exit_code?: number;
  readonly signal?: string;
  readonly summary: string;
}

export function sessionState(session: Session): SessionState {
  const { status, facts } = session;
  if (status === undefined) {
    const waits = session.waitsForInput;
    return {
      session_id: facts.id,
      state: waits ? "waiting_input" : "running",
      summary: waits ? "Waits for input." : "Running.",
    };
  }
  return {
    session_id: facts.id,
    state: "ended",
    exit_code: status.code,
    ...(status.signal !== undefined && { signal: status.signal }),
    summary: endWords(session),
  };
}

function endWords(session: Session): string {
  const { status, stoppedBy } = session;
  if (stoppedBy !== undefined)
    return `Stopped by request (${stoppedBy.signals.join(", then ") || "it had ended"}).`;
  const words = status === undefined ? "" : exitWords(status.code, status.signal);
  const left = session.running.processes().length;
  return left === 0 ? words : `${words} The program has exited, ${left} of its processes still run.`;
}

/** The line that says how it is. */
export function stateLine(state: SessionState): RenderNode {
  const style = state.state === "ended" ? exitStyle(state) : "normal";
  return ui.text(`Session ${state.session_id}: ${state.summary}`, style);
}
