// How long a command may run: what was asked for, but so that the host's deadline still leaves time to end it in order
// and to tell.

export const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;

/** To make a result and send it. */
const LAST_WORD_MS = 750;

/** In milliseconds from now. `deadline` is the host's, on the clock of `performance.now()`. */
export function timeLimit(
  askedMs: number | undefined,
  deadline: number | undefined,
  graceMs: number,
  now = performance.now(),
): number {
  const asked = askedMs ?? DEFAULT_TIMEOUT_MS;
  if (deadline === undefined) return asked;
  const left = Math.max(0, deadline - now);
  const inOrder = left - graceMs - LAST_WORD_MS;
  // Too short to end in order: then the call fails at its deadline, as the host expects.
  return inOrder < left / 2 ? asked : Math.round(Math.min(asked, inOrder));
}
