// robots.txt by RFC 9309 (C163, C215).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebBench } from "./testing/web-bench.ts";
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

describe("robots.txt, where it is respected [C215]", () => {
  let polite: WebBench;
  beforeEach(async () => {
    polite = await configured({ respect_robots: true, user_agent: "plugin-tool-web/1" });
    server.page("/private", "x", plain);
    server.page("/public", "x", plain);
  });
  afterEach(async () => {
    await polite[Symbol.asyncDispose]();
  });

  it.each<[string, string, boolean]>([
    ["a rule for all", "User-agent: *\nDisallow: /private", false],
    ["a byte order mark before it", "\ufeffUser-agent: *\nDisallow: /private", false],
    [
      "a group of our own goes before that for all",
      "User-agent: *\nDisallow: /\n\nUser-agent: plugin-tool-web\nDisallow: /private",
      false,
    ],
    ["a rule for others", "User-agent: other\nDisallow: /", true],
    ["an empty file", "", true],
    ["an allowed part", "User-agent: *\nDisallow: /\nAllow: /p", true],
  ])("%s", async (_name, rules, isAllowed) => {
    server.page("/robots.txt", rules, plain);
    const outcome = await polite.fetch(`${server.origin}/private`).then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(isAllowed);
    if (!rules.includes("Disallow: /\n")) await polite.fetch(`${server.origin}/public`);
    expect(server.count("/robots.txt")).toBe(1);
  });

  it.each<[string, number, boolean]>([
    ["404 allows", 404, true],
    ["403 allows", 403, true],
    ["500 forbids", 500, false],
  ])("%s", async (_name, status, isAllowed) => {
    server.page("/robots.txt", "User-agent: *\nDisallow: /", plain, status);
    const outcome = await polite.fetch(`${server.origin}/public`).catch((error: unknown) => error);
    if (isAllowed) expect(outcome).toMatchObject({ status: 200 });
    else
      expect(outcome).toMatchObject({
        category: "permission_denied",
        message: expect.stringContaining("status 500"),
      });
  });

  it("that never comes forbids, after a time of its own", async () => {
    server.on("/robots.txt", () => {});
    expect(await polite.refusal(`${server.origin}/public`)).toMatchObject({
      category: "permission_denied",
      message: expect.stringContaining("gave up after 5000 ms while waiting for"),
    });
  });

  it("that redirects to a private address is refused like a page [C163]", async () => {
    server.redirect("/robots.txt", "http://169.254.169.254/robots.txt");
    expect(await polite.refusal(`${server.origin}/public`)).toMatchObject({
      category: "permission_denied",
      message: expect.stringMatching(/could not be read \(the redirect is not followed/),
    });
    expect(server.count("/public")).toBe(0);
  });

  it("is asked for at the port of the page, and not at all by default", async () => {
    server.page("/robots.txt", "", plain);
    await polite.fetch(`${server.origin}/public`);
    expect(server.count("/robots.txt")).toBe(1);
    await bench.fetch(`${server.origin}/public`);
    expect(server.count("/robots.txt")).toBe(1);
  });
});
