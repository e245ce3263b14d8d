// What is used again (C189, C207 to C211): the session's cache by RFC 9111, and the text of a page that is read part by
// part.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unmarked, WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

let server: WebServer;
let bench: WebBench;

beforeAll(async () => {
  server = await WebServer.start();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

beforeEach(async () => {
  server.requests.length = 0;
  bench = await configured({});
});

afterEach(async () => {
  await bench[Symbol.asyncDispose]();
});

async function configured(more: object): Promise<WebBench> {
  return await WebBench.open({ allowed_domains: ["127.0.0.1"], private_origins: [server.origin], ...more });
}

const plain = { "content-type": "text/plain" };

describe("the cache", () => {
  it("answers again within its time, for the session alone [C209]", async () => {
    server.page("/cached", "<p>one</p>");
    const first = await bench.fetch(`${server.origin}/cached`);
    const second = await bench.fetch(`${server.origin}/cached`);
    expect([first.from_cache, second.from_cache]).toEqual([false, true]);
    expect(second.fetched_at).toBe(first.fetched_at);
    expect((await bench.fetch({ url: `${server.origin}/cached`, format: "raw" })).content).toContain(
      "<p>one</p>",
    );
    expect(server.count("/cached")).toBe(1);
    await bench.fetch(`${server.origin}/cached`, { session: "another" });
    expect(server.count("/cached")).toBe(2);
    bench.endSession("session-1");
    await bench.fetch(`${server.origin}/cached`);
    expect(server.count("/cached")).toBe(3);
  });

  it("asks whether a page still holds where its time is over, and shows the stored one on 304 [C207]", async () => {
    await using brief = await configured({ cache_ttl_ms: 1 });
    server.on("/etag", (request, response) => {
      const isSame = request.headers["if-none-match"] === '"v1"';
      response.writeHead(isSame ? 304 : 200, { ...plain, etag: '"v1"' });
      response.end(isSame ? undefined : "stored text");
    });
    await brief.fetch(`${server.origin}/etag`);
    await expect
      .poll(async () => (await brief.fetch(`${server.origin}/etag`)).notes?.join())
      .toContain("revalidated");
    const page = await brief.fetch(`${server.origin}/etag`);
    expect(unmarked(page.content)).toBe("stored text");
    expect(server.requests.at(-1)?.headers["if-none-match"]).toBe('"v1"');
  });

  it.each<[string, Record<string, string>]>([
    ["no-store", { "cache-control": "no-store" }],
    ["no-cache", { "cache-control": "no-cache" }],
    ["max-age=0", { "cache-control": "max-age=0" }],
    ["Vary: *", { vary: "*" }],
  ])("keeps to %s", async (_name, headers) => {
    server.page("/fresh", "x", { ...plain, ...headers });
    await bench.fetch(`${server.origin}/fresh`);
    expect((await bench.fetch(`${server.origin}/fresh`)).from_cache).toBe(false);
    expect(server.count("/fresh")).toBe(2);
  });

  it("keeps no error, and nothing at all where it is off", async () => {
    server.page("/missing", "x", plain, 404);
    await bench.refusal(`${server.origin}/missing`);
    server.page("/missing", "here now", plain);
    expect(unmarked((await bench.fetch(`${server.origin}/missing`)).content)).toBe("here now");
    await using off = await configured({ cache_ttl_ms: 0 });
    server.page("/off", "x", plain);
    await off.fetch(`${server.origin}/off`);
    await off.fetch(`${server.origin}/off`);
    expect(server.count("/off")).toBe(2);
  });

  it("forgets the oldest pages and sessions", async () => {
    const { SessionStore } = await import("./session-store.ts");
    const sessions = new SessionStore(1_000);
    const first = sessions.get("0");
    for (let at = 1; at <= 16; at++) sessions.get(String(at));
    expect(sessions.size).toBe(16);
    expect(sessions.get("0")).not.toBe(first);
    const { pages, failures } = first;
    const page = { text: "x".repeat(1024 * 1024) } as Parameters<typeof pages.put>[1]; // only its text is looked at
    for (let at = 0; at < 20; at++) pages.put(String(at), page);
    expect(pages.characters).toBe(2 * 1024 * 1024);
    pages.put("large", { ...page, text: "x".repeat(5 * 1024 * 1024) });
    expect([pages.characters, pages.get("large") === undefined]).toEqual([5 * 1024 * 1024, false]);
    for (let at = 0; at < 300; at++) for (let again = 0; again < 5; again++) failures.note(`u${at}`, 403);
    expect(() => failures.check("u0")).not.toThrow();
    expect(() => failures.check("u299")).toThrow();
  });
});

describe("a long page is read part by part", () => {
  const text = "0123456789😀漢字".repeat(10);

  it("without losing or doubling a character [C189, C211]", async () => {
    server.page("/parts", text, { "content-type": "text/plain; charset=utf-8" });
    for (const size of [1, 2, 3, 7, 11, 139]) {
      let whole = "";
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page = await bench.fetch({ url: `${server.origin}/parts`, offset, max_chars: size });
        expect(page.truncated).toBe(page.next_offset !== undefined);
        const part = unmarked(page.content);
        expect(part.isWellFormed()).toBe(true);
        whole += part;
        offset = page.next_offset;
      }
      expect(whole).toBe(text);
    }
  });

  it("of the text whose beginning was read, though the page has changed since", async () => {
    server.page("/moving", "first version", { ...plain, "cache-control": "no-store" });
    await bench.fetch({ url: `${server.origin}/moving`, max_chars: 5 });
    server.page("/moving", "SECOND VERSION", { ...plain, "cache-control": "no-store" });
    const rest = await bench.fetch({ url: `${server.origin}/moving`, offset: 5 });
    expect([unmarked(rest.content), rest.from_cache]).toEqual([" version", true]);
    expect(unmarked((await bench.fetch(`${server.origin}/moving`)).content)).toBe("SECOND VERSION");
  });

  it("and beyond its end there is no more content [C211]", async () => {
    server.page("/end", "short", plain);
    expect(await bench.refusal({ url: `${server.origin}/end`, offset: 5 })).toMatchObject({
      category: "invalid_arguments",
      message: "offset 5: there is no more content, the text has 5 characters",
    });
    expect((await bench.refusal({ url: `${server.origin}/end`, offset: -1 })).category).toBe(
      "invalid_arguments",
    );
    expect((await bench.refusal({ url: `${server.origin}/end`, max_chars: 0 })).category).toBe(
      "invalid_arguments",
    );
  });
});
