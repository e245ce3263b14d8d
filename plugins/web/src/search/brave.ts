// Brave Search (https://api-dashboard.search.brave.com/api-reference/web/search/get). `offset` counts pages.
import { ToolError } from "@pluggableharness/protocol";
import { visiblePageText } from "../page/visible-page-text.ts";
import { arrayField, isObject, objectField, optionalText, textField } from "./json-fields.ts";
import type { SearchAdapter } from "./search-query.ts";
import { withSiteOperators } from "./site-operators.ts";

const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;
const MAX_PAGE = 9;
const FRESHNESS = { day: "pd", week: "pw", month: "pm", year: "py" } as const;

export const brave: SearchAdapter = {
  defaultEndpoint: "https://api.search.brave.com/res/v1/web/search",
  needsKey: true,
  maxParallel: 1,

  plan({ text, count, offset }) {
    if (text.length > MAX_CHARACTERS || text.split(/\s+/).length > MAX_WORDS) {
      throw new ToolError(
        "invalid_arguments",
        `query: at most ${MAX_CHARACTERS} characters and ${MAX_WORDS} words; this one has ${text.length} and ${text.split(/\s+/).length}`,
      );
    }
    const first = Math.floor(offset / count);
    const skip = offset % count;
    // A page that begins in the middle of one of theirs needs the next one too.
    const pages = (skip === 0 ? [first] : [first, first + 1]).filter((page) => page <= MAX_PAGE);
    if (first > MAX_PAGE) {
      throw new ToolError(
        "invalid_arguments",
        `offset: ${offset} is beyond what Brave gives; with count ${count} the last offset is ${MAX_PAGE * count}`,
      );
    }
    return { pages, skip };
  },

  request(query, page, { endpoint, key = "" }) {
    const url = new URL(endpoint.href);
    url.searchParams.set("q", withSiteOperators(query, MAX_CHARACTERS));
    url.searchParams.set("count", String(query.count));
    if (page > 0) url.searchParams.set("offset", String(page));
    if (query.recency !== undefined) url.searchParams.set("freshness", FRESHNESS[query.recency]);
    return { method: "GET", url, headers: { "x-subscription-token": key }, body: undefined };
  },

  read(body) {
    const answer = objectField(body, "the answer");
    // Without web results there is no `web`.
    const web = answer["web"] === undefined ? { results: [] } : objectField(answer["web"], "web");
    const results = arrayField(web["results"] ?? [], "web.results").map((item, at) => {
      const result = objectField(item, `web.results[${at}]`);
      return {
        title: textField(result["title"], `web.results[${at}].title`),
        url: textField(result["url"], `web.results[${at}].url`),
        snippet: optionalText(result["description"]) ?? "",
        published: optionalText(result["page_age"]),
      };
    });
    const query = isObject(answer["query"]) ? answer["query"] : {};
    const altered = optionalText(query["altered"]);
    return {
      results,
      notes:
        altered === undefined
          ? []
          : [`searched for ${JSON.stringify(visiblePageText(altered).slice(0, 200))} instead`],
      hasMore: query["more_results_available"] === true,
    };
  },

  errorText(body) {
    if (!isObject(body) || !isObject(body["error"])) return undefined;
    const { code, detail } = body["error"];
    return [optionalText(code), optionalText(detail)].filter((part) => part !== undefined).join(": ");
  },
};
