// A web server on loopback for tests: what each path answers is set by the test, and every request and every closed
// socket is seen.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly method: string;
  readonly body: string;
}

export class WebServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();
  readonly #sockets = new Set<Socket>();
  readonly #events = new EventEmitter();
  readonly requests: SeenRequest[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on(
      "request",
      (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response),
    );
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#events.emit("closed");
      });
    });
  }

  static async start(server: Server = createServer()): Promise<WebServer> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WebServer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a TCP server that listens
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What a path answers, with or without a query. */
  on(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  /** A page of this type. */
  page(
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string> = { "content-type": "text/html" },
    status = 200,
  ): void {
    this.on(path, (_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
  }

  redirect(path: string, location: string, status = 302): void {
    this.on(path, (_request, response) => {
      response.writeHead(status, { location });
      response.end();
    });
  }

  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** Resolves when a request for a path is there. */
  async asked(path: string): Promise<void> {
    while (this.count(path) === 0) await once(this.#events, "request");
  }

  /** Resolves when no connection is open. */
  async allClosed(): Promise<void> {
    while (this.#sockets.size > 0) await once(this.#events, "closed");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    this.requests.push({
      path,
      headers: request.headers,
      method: request.method ?? "",
      body: Buffer.concat(chunks).toString(),
    });
    this.#events.emit("request");
    response.on("error", () => {});
    const answer = this.#answers.get(path) ?? this.#answers.get("*");
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404, { "content-type": "text/plain" });
    response.end("nothing here");
  }
}

/** A port on which nothing listens any more. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  server.close();
  await once(server, "close");
  return port;
}
