// Pages for the benchmarks of the web plugin, on a server on loopback.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves this HTML at every address, each time with another number in it, so that no answer was seen before. */
export async function serveHtml(html: string): Promise<{ server: Server; origin: string }> {
  let served = 0;
  const server = createServer((_request, response) => {
    const body = Buffer.from(html.replace("</h1>", ` ${served++}</h1>`));
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-length": body.length,
    });
    response.end(body);
  });
  return await listening(server);
}

/** Starts a server on loopback. */
export async function listening(server: Server): Promise<{ server: Server; origin: string }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  return { server, origin: `http://127.0.0.1:${port}` };
}

/** An article of prose, lists, code and tables, with a menu before and a footer after it. */
export function articlePage(bytes: number): string {
  const menu = Array.from({ length: 50 }, (_, at) => `<a href="/menu/${at}">entry ${at}</a>`).join("");
  const parts = [
    `<!doctype html><html><head><title>An article</title><style>p{margin:0}</style></head><body><nav>${menu}</nav><article><h1>An article</h1>`,
  ];
  let length = parts[0]?.length ?? 0;
  for (let at = 1; length < bytes; at++) {
    const part = section(at);
    parts.push(part);
    length += part.length;
  }
  parts.push("</article><footer>imprint</footer></body></html>");
  return parts.join("");
}

function section(at: number): string {
  const code =
    at % 5 === 0
      ? `<pre><code class="language-go">func main() {\n\tfmt.Println(${at})\n}\n</code></pre>`
      : "";
  const rows = "<tr><td>1</td><td>2 &amp; 3</td></tr>".repeat(5);
  const table =
    at % 7 === 0 ? `<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>${rows}</tbody></table>` : "";
  return `<h2 id="s${at}">Section ${at}</h2><p class="para">The quick brown fox jumps over <a href="/page/${at}">the lazy dog number ${at}</a>, and <em>then</em> it <strong>sleeps</strong> for a while, because it is tired, and because the night is long and the sentence has to be of a natural length.</p><p>Another paragraph with <code>inline_code(${at})</code>, commas, and more text, so that it is found worth keeping.</p><ul><li>one ${at}</li><li>two</li><li>three</li></ul>${code}${table}`;
}
