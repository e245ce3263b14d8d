// The built plugin as a process, fed with what a confused model or a broken host sends (cases 64, 65): every call gets
// an answer of the right category, and the plugin goes on serving.
import { fileURLToPath } from "node:url";
import { PluginProcess } from "@pluggableharness/host";
import { isToolError, type Json } from "@pluggableharness/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebServer } from "../src/testing/web-server.ts";

const executable = fileURLToPath(new URL("../dist/plugin-tool-web", import.meta.url));
let plugin: PluginProcess;
let server: WebServer;

beforeAll(async () => {
  server = await WebServer.start();
  server.page("/", "<h1>Hello</h1>");
  plugin = await PluginProcess.launch(executable);
  await plugin.configure({
    allowed_domains: ["127.0.0.1"],
    private_origins: [server.origin],
    timeout_ms: 2_000,
  });
});

afterAll(async () => {
  await plugin.close();
  await server[Symbol.asyncDispose]();
});

type Arguments = { [key: string]: Json };
const context = { sessionId: "s", turnId: "t", workingDirectory: "/" };

/** `result`, or the category and message of the error. */
async function outcome(
  toolName: string,
  args: Arguments,
  callContext: object | undefined = context,
): Promise<string> {
  try {
    const call = { id: "call", toolName, arguments: args, ...(callContext !== undefined && { callContext }) };
    for await (const event of plugin.invoke(call)) if (event.case === "result") return "result";
    return "nothing";
  } catch (error) {
    if (isToolError(error)) return `${error.category}: ${error.message}`;
    throw error;
  }
}

describe("the web plugin answers", () => {
  const deep = (levels: number): Json => (levels === 0 ? "x" : { deep: deep(levels - 1) });

  it.each<[string, string, Arguments, RegExp]>([
    [
      "an unknown operation",
      "web_post",
      {},
      /^not_found: web has no operation "web_post"; it has: web_fetch, web_search/,
    ],
    ["no arguments", "web_fetch", {}, /^invalid_arguments: web_fetch: url: required string is missing/],
    ["null", "web_fetch", { url: null }, /^invalid_arguments: .*url: expected string, got null/],
    [
      "a number as a string",
      "web_fetch",
      { url: "http://a.test", offset: "1" },
      /^invalid_arguments: .*offset: expected whole number/,
    ],
    ["a fraction", "web_fetch", { url: "http://a.test", max_chars: 1.5 }, /^invalid_arguments: .*max_chars/],
    [
      "an unknown format",
      "web_fetch",
      { url: "http://a.test", format: "pdf" },
      /^invalid_arguments: .*format/,
    ],
    [
      "a URL of 10 MB",
      "web_fetch",
      { url: `http://${"x".repeat(10_000_000)}` },
      /^invalid_arguments: url is longer/,
    ],
    ["a URL with NUL", "web_fetch", { url: "http://127.0.0.1\0/" }, /^invalid_arguments: .*odd way/],
    [
      "a hundred levels of nesting",
      "web_fetch",
      { url: "file:///x", extra: deep(100) },
      /^invalid_arguments: only http and https/,
    ],
    ["inherited names", "web_fetch", JSON.parse('{"__proto__":{"url":"http://a.test"}}'), /url: required/],
    [
      "a query of 10 MB",
      "web_search",
      { query: "x".repeat(10_000_000) },
      /^invalid_arguments: query: at most/,
    ],
    [
      "a search without a backend",
      "web_search",
      { query: "x" },
      /^permission_denied: no search backend is configured/,
    ],
  ])("%s with the right category and words", async (_name, operation, args, words) => {
    const answer = await outcome(operation, args);
    expect(answer).toMatch(words);
    expect(answer.length).toBeLessThan(1_000);
  });

  it("a call without context, and one with an empty session [65]", async () => {
    expect(await outcome("web_fetch", { url: `${server.origin}/` }, undefined)).toBe("result");
    expect(await outcome("web_fetch", { url: `${server.origin}/` }, { sessionId: "" })).toBe("result");
  });

  it("any arguments at all, and connects to nothing but what is allowed", async () => {
    const text = fc.oneof(
      fc.constantFrom("http://127.0.0.1/", "http://[::1]/", "file:///x", "", "http://", "https://0x7f.1/"),
      fc.webUrl(),
      fc.string({ unit: "binary", maxLength: 20 }).filter((each) => each.isWellFormed()),
    );
    const value = fc.oneof(
      text,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 3 }),
    );
    const fields = [
      "url",
      "format",
      "offset",
      "max_chars",
      "query",
      "count",
      "allowed_domains",
      "recency",
      "other",
    ];
    const seen = server.requests.length;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("web_fetch", "web_search"),
        fc.dictionary(fc.constantFrom(...fields), value),
        async (operation, given) => {
          const sent = JSON.parse(JSON.stringify(given)) as Arguments; // JSON as a host sends it
          expect(await outcome(operation, sent)).toMatch(/^[a-z_]+: /);
          const preview = await plugin
            .preview({ toolName: operation, arguments: sent, callContext: context })
            .catch((error: unknown) => error);
          if (preview instanceof Error) expect(isToolError(preview)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
    expect(server.requests.length).toBe(seen);
  });

  it("a cancelled call by closing its connection at once [C177]", async () => {
    server.on(
      "/slow",
      (_request, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("x"),
    );
    const abort = new AbortController();
    const call = {
      id: "c",
      toolName: "web_fetch",
      arguments: { url: `${server.origin}/slow` },
      callContext: context,
    };
    const events = (async () => {
      for await (const _event of plugin.invoke(call, { signal: abort.signal }));
    })().catch(() => {});
    await server.asked("/slow");
    abort.abort();
    await events;
    await server.allClosed();
    expect(await outcome("web_fetch", { url: `${server.origin}/` })).toBe("result");
  });

  it("two hundred calls at once, and a thousand in a row [70]", async () => {
    const url = `${server.origin}/`;
    const many = await Promise.all(Array.from({ length: 200 }, () => outcome("web_fetch", { url })));
    expect(new Set(many)).toEqual(new Set(["result"]));
    for (let at = 0; at < 1_000; at++)
      expect(await outcome("web_fetch", { url, format: "raw" })).toBe("result");
  });
});

describe("Configure refuses", () => {
  it.each<[string, Arguments, RegExp]>([
    ["nothing at all", {}, /allowed_domains: required array is missing/],
    [
      "a URL as a domain",
      { allowed_domains: ["https://example.com/"] },
      /allowed_domains: "https:\/\/example\.com\/" is no domain; write example\.com/,
    ],
    ["a path", { allowed_domains: ["example.com/docs"] }, /is no domain/],
    ["a star in the middle", { allowed_domains: ["a.*.com"] }, /is no domain/],
    ["an empty entry", { allowed_domains: [""] }, /is no domain/],
    ["a public suffix", { allowed_domains: ["co.uk"] }, /co\.uk is a public suffix/],
    [
      "an origin that is none",
      { allowed_domains: ["*"], private_origins: ["127.0.0.1"] },
      /private_origins: .* is no origin/,
    ],
    ["a name server that is none", { allowed_domains: ["*"], dns_servers: ["dns.test"] }, /dns_servers/],
    ["a proxy that is none", { allowed_domains: ["*"], proxy: { url: "nowhere" } }, /proxy\.url/],
    ["a time that is none", { allowed_domains: ["*"], timeout_ms: 1 }, /timeout_ms/],
    ["an agent that no header can hold", { allowed_domains: ["*"], user_agent: "a\r\nb: c" }, /user_agent/],
  ])("%s, and says what is wrong", async (_name, config, words) => {
    await using fresh = await PluginProcess.launch(executable);
    await expect(fresh.configure(config)).rejects.toMatchObject({
      category: "invalid_arguments",
      message: expect.stringMatching(words),
    });
  });
});
