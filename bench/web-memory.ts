// What the web plugin's process grows by, at its peak over what it has when idle, for an article, for pages without end
// and for a decompression bomb.
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { PluginProcess } from "@pluggableharness/host";
import { inCheckout, type Row } from "./measure.ts";
import { articlePage, listening } from "./web-pages.ts";

const MiB = 1024 * 1024;
const MAX_ADDED_MIB = 120;
const RUNS = 3;

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "an article of 1 MB": (response) => response.end(articlePage(1_000_000)),
  "an article of 5 MB": (response) => response.end(articlePage(5 * MiB)),
  "HTML without end": (response) => writeForEver(response, Buffer.from(articlePage(64 * 1024))),
  "a bomb in brotli": (response) => {
    response.setHeader("content-encoding", "br");
    response.end(brotliCompressSync(Buffer.alloc(100 * MiB)));
  },
};

/** Added memory in shares of what is allowed, for each kind of answer. */
export async function measureWebMemory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, answer] of Object.entries(answers)) rows.push(await measureAnswer(name, answer));
  return rows;
}

async function measureAnswer(name: string, answer: (response: ServerResponse) => void): Promise<Row> {
  const { server, origin } = await listening(
    createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.setHeader("cache-control", "no-store");
      answer(response);
    }),
  );
  await using plugin = await PluginProcess.launch(inCheckout("plugins/web/dist/plugin-tool-web"));
  try {
    await plugin.configure({ allowed_domains: ["127.0.0.1"], private_origins: [origin] });
    const idle = statusMiB(plugin.pid, "VmRSS");
    for (let run = 0; run < RUNS; run++) await fetchOnce(plugin, origin);
    const peak = statusMiB(plugin.pid, "VmHWM");
    return {
      name: `memory for ${name}`,
      detail: `${(peak - idle).toFixed(0)} MiB more than ${idle.toFixed(0)} when idle, of ${MAX_ADDED_MIB} allowed`,
      ratio: (peak - idle) / MAX_ADDED_MIB,
      bound: { atMost: 1 },
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function fetchOnce(plugin: PluginProcess, url: string): Promise<void> {
  const call = { id: "1", toolName: "web_fetch", arguments: { url }, callContext: { sessionId: "s" } };
  try {
    for await (const _event of plugin.invoke(call)) {
      // Only the end counts.
    }
  } catch {
    // A bomb is refused; what it took is what counts.
  }
}

function writeForEver(response: ServerResponse, chunk: Uint8Array): void {
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}

function statusMiB(pid: number, line: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
