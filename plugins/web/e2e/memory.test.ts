// The built plugin as a process, given what is made to fill its memory: whatever a server sends, the process grows by
// less than 120 MiB over what it has when idle.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import * as zlib from "node:zlib";
import { PluginProcess } from "@pluggableharness/host";
import { isToolError } from "@pluggableharness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble, pdf } from "../src/testing/pdf.ts";
import { WebServer } from "../src/testing/web-server.ts";

const executable = fileURLToPath(new URL("../dist/plugin-tool-web", import.meta.url));
const MiB = 1024 * 1024;
const MAX_GROWTH_MIB = 120;

let server: WebServer;
beforeAll(async () => {
  server = await WebServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** A line of /proc/<pid>/status in MiB. Only Linux tells the peak; elsewhere the answers alone are checked. */
function statusMiB(pid: number, line: string): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

function endless(response: ServerResponse, chunk: Uint8Array): void {
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}

/** A PDF whose only page unpacks to a gigabyte. */
function pdfBomb(): Buffer {
  const packed = zlib.deflateSync(Buffer.alloc(256 * MiB, "( ) Tj "));
  const twice = zlib.deflateSync(packed);
  return assemble([
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>"),
    Buffer.concat([
      Buffer.from(`<< /Filter [/FlateDecode /FlateDecode] /Length ${twice.length} >>\nstream\n`),
      twice,
      Buffer.from("\nendstream"),
    ]),
  ]);
}

const paragraphs = (bytes: number): string =>
  `<article>${'<p class="x">Some words of a long page, with commas, and a <a href="/x">link</a>.</p>'.repeat(bytes / 80)}</article>`;

const html = { "content-type": "text/html" };
const plain = { "content-type": "text/plain" };
const packedAs = (encoding: string) => ({ ...plain, "content-encoding": encoding });

const answers: readonly [string, (response: ServerResponse) => void][] = [
  [
    "a bomb in gzip",
    (response) => void response.writeHead(200, packedAs("gzip")).end(zlib.gzipSync(Buffer.alloc(200 * MiB))),
  ],
  [
    "a bomb in brotli",
    (response) =>
      void response.writeHead(200, packedAs("br")).end(
        zlib.brotliCompressSync(Buffer.alloc(200 * MiB), {
          params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 },
        }),
      ),
  ],
  [
    "a bomb in zstd",
    (response) =>
      void response.writeHead(200, packedAs("zstd")).end(zlib.zstdCompressSync(Buffer.alloc(200 * MiB))),
  ],
  [
    "a bomb in a bomb",
    (response) =>
      void response
        .writeHead(200, packedAs("gzip, gzip"))
        .end(zlib.gzipSync(zlib.gzipSync(Buffer.alloc(200 * MiB)))),
  ],
  ["text without end", (response) => endless(response.writeHead(200, plain), Buffer.alloc(64 * 1024, "x"))],
  [
    "text without end, packed",
    (response) => {
      response.writeHead(200, packedAs("gzip"));
      const gzip = zlib.createGzip({ level: 0 });
      gzip.pipe(response);
      const write = (): void => {
        while (!response.destroyed && gzip.write(randomBytes(64 * 1024)));
      };
      gzip.on("drain", write);
      response.on("close", () => gzip.destroy());
      write();
    },
  ],
  [
    "HTML without end",
    (response) => endless(response.writeHead(200, html), Buffer.from(paragraphs(64 * 1024))),
  ],
  ["HTML of 1 MB", (response) => void response.writeHead(200, html).end(paragraphs(MiB))],
  ["HTML of 5 MB", (response) => void response.writeHead(200, html).end(paragraphs(5 * MiB))],
  ["5 MB of nested divs", (response) => void response.writeHead(200, html).end("<div>".repeat(MiB))],
  [
    "5 MB of cells",
    (response) => void response.writeHead(200, html).end(`<table>${"<tr><td>x".repeat(500_000)}`),
  ],
  [
    "5 MB of entities in UTF-16",
    (response) =>
      void response
        .writeHead(200, { "content-type": "text/html; charset=utf-16le" })
        .end(Buffer.from("漢&amp;".repeat(400_000), "utf16le")),
  ],
  [
    "JSON of 5 MB",
    (response) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end("[".repeat(2 * MiB) + "]".repeat(2 * MiB)),
  ],
  [
    "controls that become visible",
    (response) => void response.writeHead(200, plain).end("\u202e".repeat(MiB)),
  ],
  [
    "a PDF",
    (response) =>
      void response
        .writeHead(200, { "content-type": "application/pdf" })
        .end(pdf(Array.from({ length: 100 }, (_, at) => `Page ${at}`))),
  ],
  [
    "a bomb in a PDF",
    (response) => void response.writeHead(200, { "content-type": "application/pdf" }).end(pdfBomb()),
  ],
  [
    "a header of a megabyte",
    (response) => void response.writeHead(200, { ...plain, "x-long": "x".repeat(MiB) }).end("x"),
  ],
];

describe("less than 120 MiB more than idle", () => {
  it.each(answers)("for %s", async (_name, answer) => {
    server.on("/hostile", (_request, response) => answer(response));
    await using plugin = await PluginProcess.launch(executable);
    await plugin.configure({ allowed_domains: ["127.0.0.1"], private_origins: [server.origin] });
    const idle = statusMiB(plugin.pid, "VmRSS");
    const call = {
      id: "1",
      toolName: "web_fetch",
      arguments: { url: `${server.origin}/hostile` },
      callContext: { sessionId: "s" },
    };
    const outcome = await lastOf(plugin.invoke(call));
    const peak = statusMiB(plugin.pid, "VmHWM");
    expect(outcome).toMatch(/^(?:result|execution_failed|timeout)/);
    expect(peak - idle).toBeLessThan(MAX_GROWTH_MIB);
    // It goes on to serve.
    server.page("/next", "next", plain);
    expect(await lastOf(plugin.invoke({ ...call, arguments: { url: `${server.origin}/next` } }))).toBe(
      "result",
    );
  });

  it("and less than twice that for twenty large pages at once, in sessions of their own", async () => {
    server.page("/large", paragraphs(MiB), html);
    await using plugin = await PluginProcess.launch(executable);
    await plugin.configure({
      allowed_domains: ["127.0.0.1"],
      private_origins: [server.origin],
      timeout_ms: 60_000,
    });
    const idle = statusMiB(plugin.pid, "VmRSS");
    const calls = Array.from({ length: 20 }, (_, at) =>
      lastOf(
        plugin.invoke({
          id: `${at}`,
          toolName: "web_fetch",
          arguments: { url: `${server.origin}/large` },
          callContext: { sessionId: `s${at % 4}` },
        }),
      ),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["result"]));
    expect(statusMiB(plugin.pid, "VmHWM") - idle).toBeLessThan(2 * MAX_GROWTH_MIB);
  });
});

/** `result`, or the category and message of the error. */
async function lastOf(events: AsyncIterable<{ readonly case: string | undefined }>): Promise<string> {
  try {
    let last = "nothing";
    for await (const event of events) last = event.case ?? last;
    return last;
  } catch (error) {
    if (isToolError(error)) return `${error.category}: ${error.message}`;
    throw error;
  }
}
