// Exa (https://exa.ai/docs/reference/search). It has no pages: more are asked for, and the first of them passed over.
import { ToolError } from "@pluggableharness/protocol";
import { arrayField, isObject, objectField, optionalText, textField } from "./json-fields.ts";
import type { Recency, SearchAdapter } from "./search-query.ts";

const MAX_RESULTS = 100;
const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Recency, number>> = { day: 1, week: 7, month: 31, year: 366 };

export const exa: SearchAdapter = {
  defaultEndpoint: "https://api.exa.ai/search",
  needsKey: true,
  maxParallel: 4,
  failures: { 402: { reason: "quota", hint: "the credits or the budget of the key are used up" } },

  plan({ offset }) {
    if (offset >= MAX_RESULTS) {
      throw new ToolError(
        "invalid_arguments",
        `offset: ${offset} is beyond what Exa gives, which are ${MAX_RESULTS} results`,
      );
    }
    return { pages: [0], skip: offset };
  },

  request(
    { text, count, offset, allowedDomains, blockedDomains, recency },
    _page,
    { endpoint, key = "" },
    now,
  ) {
    const body = {
      query: text,
      numResults: Math.min(MAX_RESULTS, offset + count),
      contents: { highlights: true },
      ...(recency !== undefined && {
        startPublishedDate: new Date(now - DAYS[recency] * DAY_MS).toISOString(),
      }),
      ...(allowedDomains.length > 0 && { includeDomains: allowedDomains.map(({ host }) => host) }),
      ...(blockedDomains.length > 0 && { excludeDomains: blockedDomains.map(({ host }) => host) }),
    };
    return {
      method: "POST",
      url: endpoint,
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
  },

  read(body, { count, offset }) {
    const results = arrayField(objectField(body, "the answer")["results"], "results").map((item, at) => {
      const result = objectField(item, `results[${at}]`);
      const url = textField(result["url"], `results[${at}].url`);
      const highlights = Array.isArray(result["highlights"]) ? result["highlights"] : [];
      return {
        // A page without a title has null.
        title: optionalText(result["title"]) || url,
        url,
        snippet:
          optionalText(highlights[0]) ??
          optionalText(result["summary"]) ??
          optionalText(result["text"]) ??
          "",
        published: optionalText(result["publishedDate"]),
      };
    });
    return { results, notes: [], hasMore: results.length >= offset + count && offset + count < MAX_RESULTS };
  },

  errorText(body) {
    if (!isObject(body)) return undefined;
    const error = body["error"];
    const tag = optionalText(isObject(error) ? error["code"] : body["tag"]);
    const words = optionalText(isObject(error) ? error["message"] : error);
    return [tag, words].filter((part) => part !== undefined).join(": ") || undefined;
  },
};
