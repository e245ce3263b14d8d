// Each service by what it is asked and what it answers: bodies as they were seen in public documentation and clients
// (search-apis-detail.md), served on loopback (case 63, C221 to C237).
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fixtures } from "../testing/search-fixtures.ts";
import { failureOf, unmarked, WebBench } from "../testing/web-bench.ts";
import { WebServer } from "../testing/web-server.ts";

const KEY = "tvly-secret/key+42";
const SECRET = /secret(?:\/|%2F)key/;
let server: WebServer;
let bench: WebBench | undefined;

beforeAll(async () => {
  server = await WebServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterEach(async () => {
  await bench?.[Symbol.asyncDispose]();
  bench = undefined;
});

type Name = keyof typeof fixtures;

async function opened(name: Name, more: object = {}): Promise<WebBench> {
  await bench?.[Symbol.asyncDispose]();
  const search = {
    backend: name,
    endpoint: `${server.origin}/search`,
    ...(name !== "searxng" && { api_key: KEY }),
    ...more,
  };
  bench = await WebBench.open({ allowed_domains: ["example.com"], search, timeout_ms: 5_000 });
  return bench;
}

/** Answers every search with this, and gives the query of each request. */
function answers(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): { readonly asked: URLSearchParams[] } {
  const asked: URLSearchParams[] = [];
  server.on("/search", (request, response) => {
    asked.push(new URL(request.url ?? "", server.origin).searchParams);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  });
  return { asked };
}

const sent = (): Record<string, unknown> => JSON.parse(server.requests.at(-1)?.body || "{}");

describe.each(Object.keys(fixtures) as Name[])("%s", (name) => {
  const { success, empty, expected, errors } = fixtures[name];

  it("gives results of one shape, also packed, without markup and entities, and between marks [63, C221]", async () => {
    for (const packed of [false, true]) {
      const body = Buffer.from(JSON.stringify(success));
      answers(packed ? gzipSync(body) : body, 200, packed ? { "content-encoding": "gzip" } : {});
      const found = await (await opened(name)).search("rust & go");
      expect(found.backend).toBe(name);
      expect(
        found.results.map((result) => ({
          ...result,
          title: unmarked(result.title),
          snippet: result.snippet && unmarked(result.snippet),
        })),
      ).toEqual(expected);
    }
  });

  it("says that there is nothing", async () => {
    for (const body of empty) {
      answers(body);
      expect(await (await opened(name)).search("nothing")).toMatchObject({ results: [], truncated: false });
    }
  });

  it("sends its key where the service wants it, and nowhere else", async () => {
    answers(success);
    await (await opened(name)).search("words");
    const [request] = server.requests;
    const holders = Object.entries(request?.headers ?? {}).filter(([, value]) => String(value).includes(KEY));
    expect(holders).toEqual(
      fixtures[name].keyHeader === undefined
        ? []
        : [[fixtures[name].keyHeader[0], fixtures[name].keyHeader[1](KEY)]],
    );
    expect(request?.path).not.toContain("secret");
    expect(request?.body).not.toContain("secret");
  });

  it.each(errors)("answers %i %j as it is meant", async (status, body, headers, expectation) => {
    answers(body, status, headers);
    const failure = await failureOf((await opened(name)).search("words"));
    expect(failure).toMatchObject(expectation);
    expect(failure.message).not.toContain("undefined");
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ["a page of HTML under 200", "<html>blocked</html>", /no JSON/],
    ["JSON that ends early", '{"results":[', /no JSON/],
    ["ten megabytes", `{"results":"${"x".repeat(10_000_000)}"}`, /no JSON \(more than/],
    ["another shape", '{"web":{"results":{}},"results":{}}', /lacks (web\.)?results \(array\)/],
    [
      "a result that is none",
      '{"web":{"results":[1]},"results":[1]}',
      /lacks (web\.)?results\[0\] \(object\)/,
    ],
    [
      "a result without an address",
      '{"web":{"results":[{"title":"x"}]},"results":[{"title":"x"}]}',
      /lacks (web\.)?results\[0\]\.url/,
    ],
  ])("%s is execution_failed that names it", async (_name, body, words) => {
    answers(body);
    expect(await failureOf((await opened(name)).search("words"))).toMatchObject({
      category: "execution_failed",
      message: expect.stringMatching(words),
    });
  });

  it("holds domain filters itself, whatever the service does with them", async () => {
    answers(success);
    const [first] = expected;
    const host = first?.source ?? "";
    const all = await opened(name);
    const only = await all.search({ query: "x", allowed_domains: [host] });
    expect(only.results.every(({ source }) => source === host || source.endsWith(`.${host}`))).toBe(true);
    expect(only.notes?.join()).toContain("left out by the filters");
    const without = await all.search({ query: "x", blocked_domains: [host] });
    expect(without.results.some(({ source }) => source === host)).toBe(false);
  });

  it("never shows its key, whatever the service writes [C237]", async () => {
    // At the end of what is shown of it, where a cut would leave a half of it.
    const long = "x".repeat(290) + KEY;
    answers({ error: long, detail: { error: long } }, 400);
    expect((await failureOf((await opened(name, { api_key: KEY })).search("words"))).message).not.toContain(
      "tvly",
    );
    const echo = { error: KEY, detail: { error: KEY }, message: encodeURIComponent(KEY) };
    for (const status of [400, 401, 429, 500]) {
      answers(echo, status, { "retry-after": "90" });
      const failure = await failureOf((await opened(name, { api_key: KEY })).search("words"));
      expect(
        JSON.stringify([failure.message, failure.details, String(failure.cause), failure.stack]),
      ).not.toMatch(SECRET);
    }
    const written = JSON.stringify(success).replaceAll("Rust", KEY);
    answers(written);
    const found = await (await opened(name, { api_key: KEY })).search("words");
    expect(JSON.stringify(found)).not.toMatch(SECRET);
    await bench?.[Symbol.asyncDispose]();
    bench = undefined;
  });

  it("tells that nothing listens, without its key", async () => {
    const failure = await failureOf(
      (await opened(name, { endpoint: "http://127.0.0.1:1/search" })).search("words"),
    );
    expect(failure).toMatchObject({
      category: "execution_failed",
      retryable: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("what a service is asked", () => {
  it("brave: pages, not results [C225], freshness and sites", async () => {
    const { asked } = answers(fixtures.brave.success);
    const brave = await opened("brave");
    await brave.search({
      query: "q",
      count: 10,
      offset: 20,
      recency: "week",
      allowed_domains: ["a.test", "b.test"],
      blocked_domains: ["c.test"],
    });
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      q: "q (site:a.test OR site:b.test) -site:c.test",
      count: "10",
      offset: "2",
      freshness: "pw",
    });
    await brave.search({ query: "q", count: 10, offset: 15 });
    expect(asked.slice(1).map((query) => query.get("offset"))).toEqual(["1", "2"]);
    expect(await failureOf(brave.search({ query: "q", count: 10, offset: 110 }))).toMatchObject({
      category: "invalid_arguments",
    });
    expect((await failureOf(brave.search("word ".repeat(51)))).message).toContain("50 words");
    expect((await failureOf(brave.search("x".repeat(401)))).message).toContain("400 characters");
  });

  it("tavily: more results where some are passed over, time and domains", async () => {
    answers(fixtures.tavily.success);
    const tavily = await opened("tavily");
    await tavily.search({
      query: "q",
      count: 5,
      offset: 5,
      recency: "month",
      allowed_domains: ["a.test"],
      blocked_domains: ["b.test"],
    });
    expect(sent()).toEqual({
      query: "q",
      max_results: 10,
      time_range: "month",
      include_domains: ["a.test"],
      exclude_domains: ["b.test"],
    });
    expect((await failureOf(tavily.search({ query: "q", offset: 20 }))).category).toBe("invalid_arguments");
  });

  it("exa: a date, domains and highlights", async () => {
    answers(fixtures.exa.success);
    await (await opened("exa")).search({
      query: "q",
      count: 5,
      recency: "week",
      allowed_domains: ["a.test"],
    });
    expect(sent()).toMatchObject({
      query: "q",
      numResults: 5,
      includeDomains: ["a.test"],
      contents: { highlights: true },
    });
    const since = Date.now() - Date.parse(String(sent()["startPublishedDate"]));
    expect(Math.round(since / 86_400_000)).toBe(7);
  });

  it("searxng: pages from 1 until there are enough, at its base address too", async () => {
    const { asked } = answers({ ...fixtures.searxng.success, unresponsive_engines: [] });
    const searxng = await opened("searxng", { endpoint: `${server.origin}/` });
    await searxng.search({ query: "q", count: 20, recency: "week" });
    expect(asked.map((query) => query.get("pageno"))).toEqual([null, "2", "3", "4"]);
    expect(asked[0]?.get("format")).toBe("json");
    expect(asked[0]?.get("time_range")).toBe("month");
  });

  it("searxng: drops what is older than a week, which it does not know", async () => {
    const result = (days: number) => ({
      title: `${days} days`,
      url: `https://a.test/${days}`,
      publishedDate: new Date(Date.now() - days * 86_400_000).toISOString(),
    });
    answers({ results: [result(1), result(20)] });
    const found = await (await opened("searxng")).search({ query: "q", count: 2, recency: "week" });
    expect(found.results.map(({ url }) => url)).toEqual(["https://a.test/1"]);
  });

  it("goes on where the page before ended", async () => {
    const many = {
      results: Array.from({ length: 20 }, (_, at) => ({
        title: `t${at}`,
        url: `https://a.test/${at}`,
        content: "",
      })),
    };
    answers(many);
    const tavily = await opened("tavily");
    const first = await tavily.search({ query: "q", count: 8 });
    expect(first).toMatchObject({ truncated: true, next_offset: 8 });
    const second = await tavily.search({ query: "q", count: 8, offset: 8 });
    expect(second.results[0]?.url).toBe("https://a.test/8");
    expect(second.results[0]?.snippet).toBe("");
  });
});
