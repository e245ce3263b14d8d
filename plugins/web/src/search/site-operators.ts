// Domain filters as `site:` operators, for services that have no field for them. The results are filtered again by
// search-results.ts, so an operator that a service ignores does no harm. Pure.
import type { SearchQuery } from "./search-query.ts";

/** The words of the query with its filters; without them where that would be longer than `maxCharacters`. */
export function withSiteOperators(
  { text, allowedDomains, blockedDomains }: SearchQuery,
  maxCharacters: number,
): string {
  const sites = allowedDomains.map(({ host }) => `site:${host}`);
  const allowed = sites.length > 1 ? [`(${sites.join(" OR ")})`] : sites;
  const blocked = blockedDomains.map(({ host }) => `-site:${host}`);
  const filtered = [text, ...allowed, ...blocked].join(" ");
  return filtered.length <= maxCharacters ? filtered : text;
}
