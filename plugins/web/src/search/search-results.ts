// Results of any service, made alike: no markup, no entities, dates in one form, no doubles, and the domain filters
// held whatever the service did with them. Pure.
import { bareHost, portOf, ruleMatches } from "../domain-rules.ts";
import { readTokens } from "../page/html-tokens.ts";
import { visiblePageText } from "../page/visible-page-text.ts";
import type { RawResult, SearchQuery } from "./search-query.ts";

const MAX_TITLE_CHARACTERS = 200;
const MAX_SNIPPET_CHARACTERS = 1_000;
const MAX_URL_CHARACTERS = 2_000;
const WEEK_MS = 7 * 86_400_000;

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly published?: string;
  readonly source: string;
}

export interface CleanResults {
  readonly results: readonly SearchResult[];
  /** Left out by the filters of the query. */
  readonly filtered: number;
}

/** Cleans and filters. */
export function cleanResults(raw: readonly RawResult[], query: SearchQuery, now: number): CleanResults {
  const seen = new Set<string>();
  const results: SearchResult[] = [];
  let filtered = 0;
  for (const { title, url: text, snippet, published } of raw) {
    const url = webUrl(text);
    if (url === undefined || seen.has(url.href)) continue;
    seen.add(url.href);
    const date = isoDate(published);
    if (!passes(url, date, query, now)) {
      filtered++;
      continue;
    }
    results.push({
      title: plain(title, MAX_TITLE_CHARACTERS) || url.href,
      url: url.href,
      snippet: plain(snippet, MAX_SNIPPET_CHARACTERS),
      ...(date !== undefined && { published: date }),
      source: bareHost(url).replace(/^www\./, ""),
    });
  }
  return { results, filtered };
}

function passes(url: URL, date: string | undefined, query: SearchQuery, now: number): boolean {
  const { allowedDomains, blockedDomains, recency } = query;
  const isIn = (rules: SearchQuery["allowedDomains"]): boolean =>
    rules.some((rule) => ruleMatches(rule, bareHost(url), portOf(url)));
  if (isIn(blockedDomains) || (allowedDomains.length > 0 && !isIn(allowedDomains))) return false;
  // The one recency that a service may not know exactly.
  return recency !== "week" || date === undefined || now - Date.parse(date) <= WEEK_MS;
}

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isWeb =
    url !== null &&
    url.href.length <= MAX_URL_CHARACTERS &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "";
  return isWeb ? url : undefined;
}

/** RFC 3339 in UTC; a date without a zone is one of UTC. */
export function isoDate(text: string | undefined): string | undefined {
  if (text === undefined || !/(?<!\d)\d{4}(?!\d)/.test(text)) return undefined;
  const hasZone = !/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text);
  const at = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

const MARKUP = new Set(
  "a abbr b bdi bdo br cite code del div em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s script small span strong style sub sup table tbody td th tr tt u ul wbr".split(
    " ",
  ),
);

/** Text of one line: tags of HTML go, other things in angle brackets stay, entities are decoded once. */
function plain(html: string, maxCharacters: number): string {
  let text = "";
  let unread = "";
  readTokens(html.slice(0, 8 * maxCharacters), {
    startTag: (name, _attributes, written) => {
      if (name === "script" || name === "style") unread = name;
      else if (!MARKUP.has(name)) text += `<${written}>`;
      else if (/^(?:br|p|div|li|td|th|tr|h\d)$/.test(name)) text += " ";
    },
    endTag: (name) => {
      if (name === unread) unread = "";
    },
    text: (part) => {
      if (unread === "") text += part;
    },
  });
  const line = visiblePageText(text).replace(/\s+/g, " ").trim();
  return line.length > maxCharacters
    ? `${line.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : line;
}
