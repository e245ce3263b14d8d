// Which part of the results one call gives: limit and offset, how a page grows up to its bytes, and whether it
// continues the page before.
import type { CallContext } from "@pluggableharness/plugin";
import { OrderHash, type PageMemory } from "./page-memory.ts";
import type { SearchState } from "./plugin.ts";

/** Where a page begins and how much fits. */
export interface PageBounds {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** The arguments that say which page. */
export interface PageInput {
  readonly limit?: number;
  readonly offset?: number;
}

/** The bounds of a call; a limit above the configured one is that one. */
export function pageBounds(
  { offset = 0, limit }: PageInput,
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
      if (count >= limit || (count > 0 && bytes + more > maxBytes)) return false;
      count++;
      bytes += more;
      return true;
    },
  };
}

/** Follows the order of results through a page, to tell the next page, and to tell whether this one is the next. */
export interface PageTrail {
  /** A result before the page, or on it. */
  pass(name: string): void;
  /** The page begins here: true where the results passed so far are not those that came before this offset. */
  begin(): boolean;
  /** The page ends here and there is more. */
  end(nextOffset: number): void;
}

/** The trail of a call; `input` without its page names the search. */
export function pageTrail(
  pages: PageMemory,
  { sessionId }: CallContext,
  operation: string,
  input: PageInput & object,
): PageTrail {
  const call = JSON.stringify([operation, { ...input, limit: 0, offset: 0 }]);
  const hash = new OrderHash();
  return {
    pass: (name) => hash.add(name),
    begin: () => {
      const offset = input.offset ?? 0;
      return offset > 0 && pages.hasChanged({ sessionId, call, offset }, hash.value);
    },
    end: (offset) => pages.note({ sessionId, call, offset }, hash.value),
  };
}
