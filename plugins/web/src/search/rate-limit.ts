// How long a service that answered 429 wants to be left alone: Retry-After, else the windows of X-RateLimit headers
// (comma-separated, one item a window; search-apis-detail.md, section 3). Pure.
import { headerText } from "../retries.ts";
import { retryAfterMs } from "../retry-after.ts";

/** Longer than this no window of a second or a minute is meant, but the quota of a month. */
const QUOTA_FROM_MS = 60 * 60 * 1_000;

export interface RateLimit {
  readonly waitMs: number | undefined;
  readonly isQuota: boolean;
}

export function rateLimitOf(
  headers: { readonly [name: string]: string | string[] | undefined },
  now: number,
): RateLimit {
  const asked = retryAfterMs(headerText(headers["retry-after"]), now);
  const waitMs =
    asked ?? resetMs(headerText(headers["x-ratelimit-remaining"]), headerText(headers["x-ratelimit-reset"]));
  return { waitMs, isQuota: waitMs !== undefined && waitMs > QUOTA_FROM_MS };
}

/** The longest reset of the windows that are used up; where none says so, the shortest of all. */
function resetMs(remaining: string | undefined, reset: string | undefined): number | undefined {
  const seconds = numbers(reset);
  const left = numbers(remaining);
  const usedUp = seconds.filter((_, window) => left[window] === 0);
  if (usedUp.length > 0) return Math.max(...usedUp) * 1_000;
  return seconds.length > 0 ? Math.min(...seconds) * 1_000 : undefined;
}

function numbers(list: string | undefined): number[] {
  return (list ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => /^\d{1,9}$/.test(item))
    .map(Number);
}
