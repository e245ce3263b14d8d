// SearXNG, which one hosts oneself (https://docs.searxng.org/dev/search_api.html). Its pages have no fixed size, so
// they are walked from the first; an engine of its that failed is told.
import { ToolError } from "@pluggableharness/protocol";
import { arrayField, objectField, optionalText, textField } from "./json-fields.ts";
import type { SearchAdapter } from "./search-query.ts";
import { withSiteOperators } from "./site-operators.ts";

const MAX_PAGES = 4;
const MAX_CHARACTERS = 2_000;
/** Instances of some age know no week: the month is asked for, and search-results.ts drops what is older. */
const RANGES = { day: "day", week: "month", month: "month", year: "year" } as const;

export const searxng: SearchAdapter = {
  defaultEndpoint: undefined,
  needsKey: false,
  maxParallel: 4,
  failures: {
    403: {
      reason: "json_disabled",
      hint: "json_format_disabled: the instance does not give JSON; add `json` to search.formats in its settings.yml",
    },
  },

  plan: ({ offset }) => ({ pages: Array.from({ length: MAX_PAGES }, (_, at) => at + 1), skip: offset }),

  request(query, page, { endpoint, key }) {
    const url = new URL(endpoint.href);
    if (!url.pathname.endsWith("/search")) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
    url.searchParams.set("q", withSiteOperators(query, MAX_CHARACTERS));
    url.searchParams.set("format", "json");
    if (page > 1) url.searchParams.set("pageno", String(page));
    if (query.recency !== undefined) url.searchParams.set("time_range", RANGES[query.recency]);
    // It has no keys of its own; one is for the proxy before it.
    return {
      method: "GET",
      url,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: undefined,
    };
  },

  read(body) {
    const answer = objectField(body, "the answer");
    const results = arrayField(answer["results"], "results").map((item, at) => {
      const result = objectField(item, `results[${at}]`);
      return {
        title: textField(result["title"], `results[${at}].title`),
        url: textField(result["url"], `results[${at}].url`),
        snippet: optionalText(result["content"]) ?? "",
        published: optionalText(result["publishedDate"]),
      };
    });
    const silent = unresponsive(answer["unresponsive_engines"]);
    if (results.length === 0 && silent.length > 0) {
      throw new ToolError("execution_failed", `no engine answered: ${silent.join(", ")}`, {
        retryable: true,
        details: { reason: "backend_failed", engines: silent },
      });
    }
    const notes = silent.length === 0 ? [] : [`partial: without the engines ${silent.join(", ")}`];
    return { results, notes, hasMore: results.length > 0 };
  },

  errorText: () => undefined,
};

/** `[["google", "timeout"], …]` in words. */
function unresponsive(engines: unknown): string[] {
  if (!Array.isArray(engines)) return [];
  return engines.slice(0, 20).map((engine) => {
    const [name, reason] = Array.isArray(engine) ? engine : [engine];
    return `${optionalText(name) ?? "?"} (${optionalText(reason) ?? "no reason given"})`
      .replace(/[^\p{L}\p{N} .,:()_-]/gu, "")
      .slice(0, 100);
  });
}
