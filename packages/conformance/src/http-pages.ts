// A web server on loopback with the pages of a recipe, for plugins that fetch.
import { createServer } from "node:http";

/** A running server; disposing ends it and every connection. */
export interface HttpPages extends Disposable {
  /** Such as `http://127.0.0.1:4321`. */
  readonly origin: string;
}

/** Serves the pages: HTML for `.html` and paths without a dot, else plain text; null never answers. */
export async function serveHttpPages(pages: Readonly<Record<string, string | null>>): Promise<HttpPages> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ""];
    if (page === null) return;
    const type = /\.html$|\/[^.]*$/.test(request.url ?? "") ? "text/html" : "text/plain";
    response.writeHead(page === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` });
    response.end(page ?? "no such page");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
