// When found results are passed on: the first at once, later ones together, and a word that the search goes on where
// nothing is found for long.

/** Between two batches. */
export const BATCH_MS = 50;
/** Without a batch for so long, an empty one says that the search goes on. */
export const QUIET_MS = 2_000;

/** Joins what comes from `source`; an empty batch is a sign of life. Ends the source when it is ended itself. */
export async function* inBatches<T, R>(
  source: AsyncGenerator<readonly T[], R>,
  now: () => number = () => performance.now(),
): AsyncGenerator<readonly T[], R> {
  let pending: T[] = [];
  let lastSent = Number.NEGATIVE_INFINITY;
  let quietSince = now();
  let step = source.next();
  try {
    for (;;) {
      const due = pending.length > 0 ? lastSent + BATCH_MS : quietSince + QUIET_MS;
      const outcome = due <= now() ? "due" : await firstOf(step, due - now());
      if (outcome === "due") {
        const batch = pending;
        pending = [];
        if (batch.length > 0) lastSent = now();
        quietSince = now();
        yield batch;
      } else if (outcome.done === true) {
        if (pending.length > 0) yield pending;
        return outcome.value;
      } else {
        pending.push(...outcome.value);
        step = source.next();
      }
    }
  } finally {
    // The step under way, where there is one, ends by the signal that its owner gives.
    step.catch(() => {});
    void source.return(undefined as R).catch(() => {}); // what it returns then is not looked at
  }
}

async function firstOf<T>(step: Promise<T>, ms: number): Promise<T | "due"> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      step,
      new Promise<"due">((resolve) => {
        timer = setTimeout(resolve, ms, "due");
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
