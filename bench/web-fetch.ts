// web_fetch through the real plugin: an article of 1 MB as Markdown against linkedom, readability and turndown alone,
// and a small page against undici alone.
import { gfm } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { request } from "undici";
import { inCheckout, median, pluginEnvironment, type Row, startForLine, stop } from "./measure.ts";
import { articlePage, serveHtml } from "./web-pages.ts";

const ARTICLE_BYTES = 1_000_000;
const ARTICLE_RUNS = 7;
const SMALL_RUNS = 300;
const SMALL_WARM_UP = 100;
const MAX_ADDED_MS = 3;
const SMALL_PAGE =
  '<!doctype html><html><head><title>Small</title></head><body><h1>Small</h1><p>A few words and <a href="/next">a link</a>.</p></body></html>';

/** The article's time as a ratio; the small page's added time in shares of what is allowed. */
export async function measureWebFetch(): Promise<Row[]> {
  return [await measureArticle(), await measureSmallPage()];
}

async function measureArticle(): Promise<Row> {
  const html = articlePage(ARTICLE_BYTES);
  const { server, origin } = await serveHtml(html);
  const times: { ours: number[]; alone: number[] } = { ours: [], alone: [] };
  try {
    await withPlugin(origin, async (fetchPage) => {
      for (let run = 0; run < ARTICLE_RUNS; run++) {
        const alone = await timed(() => convertAlone(html, origin));
        const ours = await timed(() => fetchPage(`${origin}/article`));
        // Both are slower the first time.
        if (run === 0) continue;
        times.alone.push(alone);
        times.ours.push(ours);
      }
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const [ours, alone] = [median(times.ours), median(times.alone)];
  return {
    name: "article of 1 MB to Markdown",
    detail: `${ours.toFixed(0)} ms, fetched, against ${alone.toFixed(0)} ms for readability and turndown alone`,
    ratio: ours / alone,
    bound: { atMost: 1.5 },
  };
}

async function measureSmallPage(): Promise<Row> {
  const { server, origin } = await serveHtml(SMALL_PAGE);
  const times: { ours: number[]; alone: number[] } = { ours: [], alone: [] };
  try {
    await withPlugin(origin, async (fetchPage) => {
      for (let run = 0; run < SMALL_WARM_UP + SMALL_RUNS; run++) {
        const alone = await timed(async () => await (await request(`${origin}/small`)).body.text());
        const ours = await timed(() => fetchPage(`${origin}/small`));
        if (run < SMALL_WARM_UP) continue;
        times.alone.push(alone);
        times.ours.push(ours);
      }
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const [ours, alone] = [median(times.ours), median(times.alone)];
  return {
    name: "small page, added to undici alone",
    detail: `${ours.toFixed(2)} ms against ${alone.toFixed(2)} ms, of ${MAX_ADDED_MS} ms more allowed`,
    ratio: (ours - alone) / MAX_ADDED_MS,
    bound: { atMost: 1 },
  };
}

function convertAlone(html: string, url: string): Promise<string> {
  const { document } = parseHTML(html);
  for (const name of ["baseURI", "documentURI"]) Object.defineProperty(document, name, { value: url });
  const article = new Readability(document, { keepClasses: true }).parse();
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
  service.use(gfm);
  return Promise.resolve(service.turndown(article?.content ?? ""));
}

async function withPlugin(
  origin: string,
  use: (fetchPage: (url: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const plugin = await startForLine(inCheckout("plugins/web/dist/plugin-tool-web"), [], pluginEnvironment);
  using client = new GrpcClient({ address: { network: "unix", path: plugin.line.split("|")[3] ?? "" } });
  try {
    const config = { allowed_domains: ["127.0.0.1"], private_origins: [origin], timeout_ms: 60_000 };
    await client.unary(ToolService.method.configure, { config });
    await use(async (url) => {
      const call = { id: "1", toolName: "web_fetch", arguments: { url }, callContext: { sessionId: "s" } };
      let isRead = false;
      for await (const { event } of client.serverStream(ToolService.method.invoke, { call })) {
        if (event?.event.case === "error") throw new Error(`the fetch failed: ${event.event.value.message}`);
        if (event?.event.case === "result") isRead = isLaidOut(event.event.value.payload);
      }
      if (!isRead) throw new Error("the page was not read, or only its plain text");
    });
  } finally {
    await stop(plugin.child);
  }
}

/** Nothing of the layout was left out. */
function isLaidOut(payload: { readonly [name: string]: unknown } | undefined): boolean {
  return payload !== undefined && !/complex|left out/.test(JSON.stringify(payload["notes"] ?? ""));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
