// web_fetch as a whole (cases 56 and 62, C161, C165, C203, C205): the request, statuses, what a person sees.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unmarked, WebBench } from "./testing/web-bench.ts";
import { closedPort, WebServer } from "./testing/web-server.ts";

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

describe("the request", () => {
  it("is a bare GET with an honest agent, and what this Node can unpack", async () => {
    server.page("/bare", "x", plain);
    await bench.fetch(`${server.origin}/bare`);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "GET", body: "" });
    expect(request?.headers).toMatchObject({
      "user-agent": expect.stringMatching(/^plugin-tool-web\/0\.1\.0 \(\+https:/),
      "accept-encoding": "gzip, br, zstd",
    });
    expect(request?.headers).not.toHaveProperty("cookie");
    expect(request?.headers).not.toHaveProperty("authorization");
  });

  it("sends no cookie back that a server has set", async () => {
    server.page("/cookie", "x", { ...plain, "set-cookie": "a=b", "cache-control": "no-store" });
    await bench.fetch(`${server.origin}/cookie`);
    await bench.fetch(`${server.origin}/cookie`);
    expect(server.requests[1]?.headers).not.toHaveProperty("cookie");
  });

  it("follows redirects by GET, keeps the fragment and tells where it arrived [56, C161]", async () => {
    server.page("/end", "<p>end</p>");
    for (const status of [301, 302, 303, 307, 308]) {
      server.redirect("/start", "end", status);
      const page = await bench.fetch(`${server.origin}/start#part`);
      expect(page.final_url).toBe(`${server.origin}/end#part`);
    }
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    server.redirect("/own", "/end#other");
    expect((await bench.fetch(`${server.origin}/own#part`)).final_url).toBe(`${server.origin}/end#other`);
  });

  it("goes to no proxy of the environment [C165]", async () => {
    const proxy = await WebServer.start();
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      ALL_PROXY: proxy.origin,
    });
    try {
      server.page("/direct", "x", plain);
      await using fresh = await configured({});
      await fresh.fetch(`${server.origin}/direct`);
      expect(proxy.requests).toEqual([]);
    } finally {
      for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) delete process.env[name];
      Object.assign(process.env, before);
      await proxy[Symbol.asyncDispose]();
    }
  });

  it("goes to the configured proxy, after names and literal addresses were judged [C165]", async () => {
    await using proxy = await WebServer.start();
    proxy.page("*", "by proxy", plain);
    await using proxied = await WebBench.open({
      allowed_domains: ["*"],
      denied_domains: ["denied.test"],
      proxy: { url: proxy.origin, authorization: "Basic c2VjcmV0" },
    });
    expect(unmarked((await proxied.fetch("http://some.test/x")).content)).toBe("by proxy");
    expect(proxy.requests[0]?.headers["proxy-authorization"]).toBe("Basic c2VjcmV0");
    for (const url of [
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://localhost/",
      "http://denied.test/",
      "http://169.254.169.254/",
    ]) {
      expect((await proxied.refusal(url)).category).toBe("permission_denied");
    }
    expect(proxy.requests).toHaveLength(1);
  });
});

describe("a status", () => {
  it.each<[number, string, RegExp]>([
    [400, "bad", /answered 400/],
    [401, "login", /401 \(it wants a login, and none is ever sent\)/],
    [
      404,
      "<h1>No page</h1><p>Try <a href='/x'>here</a></p><script>x</script>",
      /404 \(not found\)\. It says:\n<untrusted-[0-9a-f]{16}>\nNo page\n\nTry here\n<\/untrusted-/,
    ],
    [410, "", /410 \(gone\)$/],
    [500, "boom", /500 \(the server failed\)/],
    [304, "", /304 \(not modified\), though nothing of it is stored here/],
    [418, "tea", /answered 418/],
  ])("%i is execution_failed with what the server says [62, C203]", async (status, body, words) => {
    server.page("/status", body, { "content-type": "text/html" }, status);
    const { category, message, retryable, details } = await bench.refusal(`${server.origin}/status`);
    expect([category, retryable, message]).toEqual(["execution_failed", false, expect.stringMatching(words)]);
    expect(details).toMatchObject({ status });
  });

  it("of an error has a bounded excerpt, also of a page of megabytes and one that is no text", async () => {
    server.page("/long", "word ".repeat(1_000_000), plain, 403);
    expect((await bench.refusal(`${server.origin}/long`)).message.length).toBeLessThan(1_500);
    server.page("/image", Buffer.from([0, 1, 2]), { "content-type": "image/png" }, 403);
    expect((await bench.refusal(`${server.origin}/image`)).message).toMatch(/answered 403 \(forbidden\)$/);
  });

  it("is asked for five times a minute, and then not again [C203]", async () => {
    server.page("/no", "no", plain, 403);
    for (let at = 0; at < 5; at++) await bench.refusal(`${server.origin}/no`);
    expect((await bench.refusal(`${server.origin}/no`)).message).toMatch(
      /not asked again: .* 403 to 5 requests within a minute/,
    );
    expect(server.count("/no")).toBe(5);
    await bench.refusal(`${server.origin}/no`, { session: "another" });
    expect(server.count("/no")).toBe(6);
  });

  it.each<[string, number, string, number]>([
    ["seconds", 429, "120", 120_000],
    ["a date", 503, new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
  ])("with Retry-After as %s is retryable, and says when [62]", async (_name, status, retryAfter, waitMs) => {
    server.page("/busy", "busy", { ...plain, "retry-after": retryAfter }, status);
    const { retryable, details, message } = await bench.refusal(`${server.origin}/busy`);
    expect(retryable).toBe(true);
    expect(Math.abs(Number(details?.["retry_after_ms"]) - waitMs)).toBeLessThan(10_000);
    expect(message).toMatch(/ask again in \d+ s/);
    expect(server.count("/busy")).toBe(1);
  });

  it("503 is asked again twice at the most, and the attempts are told [C205]", async () => {
    let left = 2;
    server.on("/flaky", (_request, response) => {
      response.writeHead(left-- > 0 ? 503 : 200, plain);
      response.end("at last");
    });
    const page = await bench.fetch(`${server.origin}/flaky`);
    expect(page.notes).toContain("answered at attempt 3");
    server.page("/down", "down", plain, 503);
    expect((await bench.refusal(`${server.origin}/down`)).message).toContain("after 3 attempts");
    expect(server.count("/down")).toBe(3);
  });

  it("a connection that breaks before an answer is tried again", async () => {
    let left = 1;
    server.on("/reset", (_request, response) => {
      if (left-- > 0) response.socket?.destroy();
      else response.end("at last");
    });
    expect((await bench.fetch(`${server.origin}/reset`)).notes).toContain("answered at attempt 2");
  });

  it("a port where nothing listens is told as that", async () => {
    const port = await closedPort();
    await using other = await WebBench.open({
      allowed_domains: ["127.0.0.1"],
      private_origins: [`http://127.0.0.1:${port}`],
    });
    expect(await other.refusal(`http://127.0.0.1:${port}/`)).toMatchObject({
      category: "execution_failed",
      retryable: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it.each([
    [204, /there is no content/],
    [206, /sent a part of the page/],
  ])("%i is a page with a note [62]", async (status, note) => {
    server.page("/part", status === 204 ? "" : "some", plain, status);
    const page = await bench.fetch(`${server.origin}/part`);
    expect([page.status, page.notes?.join()]).toEqual([status, expect.stringMatching(note)]);
  });
});

describe("a person sees", () => {
  it("before: what is fetched, and why it would be refused", async () => {
    expect(JSON.stringify(await bench.preview("web_fetch", { url: `${server.origin}/x` }))).toContain(
      "Fetch http",
    );
    expect(JSON.stringify(await bench.preview("web_fetch", { url: "file:///etc/passwd" }))).toContain(
      "only http and https",
    );
    expect(JSON.stringify(await bench.preview("web_fetch", { url: "http://evil.test/" }))).toContain(
      "not on the list",
    );
    expect(server.requests).toEqual([]);
  });

  it("after: the page without the marks", async () => {
    server.page("/seen", "<title>Seen</title><p>words</p>");
    const rendered = JSON.stringify(
      bench.render("web_fetch", { operation: "web_fetch", ...(await bench.fetch(`${server.origin}/seen`)) }),
    );
    expect(rendered).toContain("words");
    expect(rendered).not.toContain("untrusted-");
  });
});
