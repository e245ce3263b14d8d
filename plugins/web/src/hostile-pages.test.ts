// Pages that are made to take for ever (case 60, C175).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Page, unmarked, WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

let server: WebServer;
let bench: WebBench;

beforeAll(async () => {
  server = await WebServer.start();
  bench = await WebBench.open({ allowed_domains: ["*"], private_origins: [server.origin], cache_ttl_ms: 0 });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function read(body: string | Uint8Array, type: string | undefined, more: object = {}): Promise<Page> {
  server.page("/page", body, type === undefined ? {} : { "content-type": type });
  return await bench.fetch({ url: `${server.origin}/page`, ...more });
}

describe("a hostile page is read in bounded time", () => {
  it.each<[string, string]>([
    ["200,000 nested divs [60]", `${"<div>".repeat(200_000)}deep words${"</div>".repeat(200_000)}`],
    ["2,000 nested divs", `${"<div>".repeat(2_000)}deep words${"</div>".repeat(2_000)}`],
    ["30,000 unclosed b", `${"<b>x".repeat(30_000)}deep words`],
    [
      "100,000 cells",
      `<table>${`<tr>${"<td>x</td>".repeat(10)}</tr>`.repeat(10_000)}</table><p>deep words</p>`,
    ],
    ["200,000 p", `${"<p>x".repeat(200_000)}<p>deep words`],
    ["half a million of <", `${"<".repeat(500_000)}<p>deep words</p>`],
    ["an attribute of a megabyte", `<p class="${"x".repeat(1_000_000)}">deep words</p>`],
    [
      "an element of 100,000 attributes",
      `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(" ")}>deep words</p>`,
    ],
    ["100,000 nested lists", `${"<ul><li>".repeat(100_000)}deep words`],
    ["a megabyte of entities", `<p>${"&amp;".repeat(200_000)}</p><p>deep words</p>`],
    ["end tags that end nothing", `<p>${"</x></div>".repeat(200_000)}deep words</p>`],
    ["a name of a megabyte", `<${"x".repeat(1_000_000)}>deep words`],
  ])("%s", async (_name, html) => {
    const page = await read(html, "text/html", { max_chars: 200_000 });
    let { content } = page;
    for (let next = page.next_offset; next !== undefined; ) {
      const more = await read(html, "text/html", { offset: next, max_chars: 200_000 });
      content += more.content;
      next = more.next_offset;
    }
    expect(content).toContain("deep words");
  });

  it("also where it is cut, and the thread goes on to serve others [C175]", async () => {
    const started = read(`<p>${"<i>x</i>".repeat(2_000_000)}</p>`, "text/html", { max_chars: 100 });
    server.page("/after", "<p>next</p>");
    expect(unmarked((await bench.fetch(`${server.origin}/after`)).content)).toBe("next");
    expect((await started).truncated).toBe(true);
  });
});
