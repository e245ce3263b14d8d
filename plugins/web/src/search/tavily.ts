// Tavily (https://docs.tavily.com/documentation/api-reference/endpoint/search). It has no pages: more are asked for, and
// the first of them passed over.
import { ToolError } from "@pluggableharness/protocol";
import { arrayField, isObject, objectField, optionalText, textField } from "./json-fields.ts";
import type { SearchAdapter } from "./search-query.ts";

const MAX_RESULTS = 20;

export const tavily: SearchAdapter = {
  defaultEndpoint: "https://api.tavily.com/search",
  needsKey: true,
  maxParallel: 4,
  failures: {
    432: { reason: "quota", hint: "the plan's limit is reached" },
    433: { reason: "quota", hint: "the limit of pay-as-you-go is reached" },
  },

  plan({ offset }) {
    if (offset >= MAX_RESULTS) {
      throw new ToolError(
        "invalid_arguments",
        `offset: ${offset} is beyond what Tavily gives, which are ${MAX_RESULTS} results`,
      );
    }
    return { pages: [0], skip: offset };
  },

  request({ text, count, offset, allowedDomains, blockedDomains, recency }, _page, { endpoint, key = "" }) {
    const body = {
      query: text,
      max_results: Math.min(MAX_RESULTS, offset + count),
      ...(recency !== undefined && { time_range: recency }),
      ...(allowedDomains.length > 0 && { include_domains: allowedDomains.map(({ host }) => host) }),
      ...(blockedDomains.length > 0 && { exclude_domains: blockedDomains.map(({ host }) => host) }),
    };
    return {
      method: "POST",
      url: endpoint,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
  },

  read(body, { count, offset }) {
    const results = arrayField(objectField(body, "the answer")["results"], "results").map((item, at) => {
      const result = objectField(item, `results[${at}]`);
      return {
        title: textField(result["title"], `results[${at}].title`),
        url: textField(result["url"], `results[${at}].url`),
        snippet: optionalText(result["content"]) ?? "",
        published: optionalText(result["published_date"]),
      };
    });
    return { results, notes: [], hasMore: results.length >= offset + count && offset + count < MAX_RESULTS };
  },

  errorText(body) {
    if (!isObject(body)) return undefined;
    const error = isObject(body["detail"]) ? body["detail"]["error"] : (body["error"] ?? body["detail"]);
    return optionalText(isObject(error) ? error["message"] : error);
  },
};
