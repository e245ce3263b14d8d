// Asks again where that is likely to help: a server that says it is busy, or a connection that broke before an answer.
// At most twice, and only within the deadline.
import { setTimeout as wait } from "node:timers/promises";
import { isToolError } from "@pluggableharness/protocol";
import type { Deadline } from "./deadline.ts";
import type { HttpAnswer } from "./http-client.ts";
import { retryAfterMs } from "./retry-after.ts";

const MAX_RETRIES = 2;
/** A longer wait is left to whoever called: it may have better things to do. */
const MAX_WAIT_MS = 2_000;
const BASE_WAIT_MS = 200;

export interface Attempted {
  readonly answer: HttpAnswer;
  readonly attempts: number;
}

/** `ask`, again where it is worth it. */
export async function withRetries(deadline: Deadline, ask: () => Promise<HttpAnswer>): Promise<Attempted> {
  for (let attempts = 1; ; attempts++) {
    const outcome = await ask().catch((error: unknown) => ({ error }));
    const isLast = attempts > MAX_RETRIES;
    const waitMs = isLast ? undefined : waitBefore(outcome, attempts);
    if (waitMs === undefined || waitMs > Math.min(MAX_WAIT_MS, deadline.leftMs / 2)) {
      if ("error" in outcome) throw outcome.error;
      return { answer: outcome, attempts };
    }
    if ("body" in outcome) outcome.body.destroy();
    deadline.enter("waiting to ask again");
    await wait(waitMs, undefined, { signal: deadline.signal }).catch(() => deadline.signal.throwIfAborted());
  }
}

/** Undefined where asking again is no use. */
function waitBefore(outcome: HttpAnswer | { readonly error: unknown }, attempts: number): number | undefined {
  const jittered = BASE_WAIT_MS * 2 ** (attempts - 1) * (1 + Math.random());
  if ("error" in outcome) {
    const { error } = outcome;
    return isToolError(error) && error.details?.["reason"] === "connection" && isReset(error.details["code"])
      ? jittered
      : undefined;
  }
  const { status, headers } = outcome;
  if (status !== 429 && status !== 503) return undefined;
  const asked = retryAfterMs(headerText(headers["retry-after"]), Date.now());
  // Too many requests without a time: only the caller can know how many are to come.
  return asked ?? (status === 503 ? jittered : undefined);
}

function isReset(code: unknown): boolean {
  return code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE";
}

/** One value of a header, the first where a server sent several. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
