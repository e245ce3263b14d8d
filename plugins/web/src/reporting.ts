// Tells a person what a long wait waits for; a short one says nothing.
import { progress, type StreamEvent } from "@pluggableharness/plugin";

const EVERY_MS = 1_000;

/** Yields `phase` each second until the work has ended, and returns its value. */
export async function* reporting<T>(
  work: Promise<T>,
  phase: () => string,
): AsyncGenerator<StreamEvent, T, void> {
  for (;;) {
    const tick = pause();
    const outcome = await Promise.race([work.then((value) => ({ value })), tick.over]).finally(tick.clear);
    if (outcome !== undefined) return outcome.value;
    yield progress(phase());
  }
}

function pause(): { readonly over: Promise<undefined>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), EVERY_MS);
  });
  return { over, clear: () => clearTimeout(timer) };
}
