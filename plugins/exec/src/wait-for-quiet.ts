// Waits until a session has something to say and has said it: output after a cursor and then a little silence, or its
// end, or the end of patience.
import type { Session } from "./session.ts";

const QUIET_MS = 100;

/** Never throws; the signal ends the wait only. */
export async function quietAfterOutput(
  session: Session,
  cursor: number,
  maxMs: number,
  signal: AbortSignal,
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  const hasEnded = (): boolean => session.status !== undefined;
  await session.change(patience, () => session.ring.total > cursor || hasEnded());
  while (!patience.aborted && !hasEnded() && session.quietMs < QUIET_MS) {
    const before = session.ring.total;
    const silence = AbortSignal.any([patience, AbortSignal.timeout(Math.ceil(QUIET_MS - session.quietMs))]);
    await session.change(silence, () => session.ring.total > before || hasEnded());
  }
}
