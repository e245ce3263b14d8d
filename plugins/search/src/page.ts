// Which part of the results one call gives: limit and offset, and how a page grows up to its bytes.
import type { SearchState } from "./plugin.ts";

/** Where a page begins and how much fits. */
export interface PageBounds {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** The bounds of a call; a limit above the configured one is that one. */
export function pageBounds(
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number },
  { maxResults, maxOutputBytes }: Pick<SearchState, "maxResults" | "maxOutputBytes">,
): PageBounds {
  return { offset, limit: Math.min(limit ?? maxResults, maxResults), maxBytes: maxOutputBytes };
}

/** Room for results; the first one always fits, so that every page gets further. */
export function pageRoom({ limit, maxBytes }: PageBounds): { take(item: object): boolean } {
  let count = 0;
  let bytes = 0;
  return {
    take(item) {
      const more = Buffer.byteLength(JSON.stringify(item)) + 1;
      if (count > 0 && (count >= limit || bytes + more > maxBytes)) return false;
      count++;
      bytes += more;
      return true;
    },
  };
}
