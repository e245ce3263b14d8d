// The host's side of the callback channel: KernelCallbackService on a socket of its own, announced to the plugin by
// the broker (go-plugin-verified.md section 5).
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { GrpcServer, type Handlers, routes } from "@pluggableharness/grpc";
import { KernelCallbackService } from "@pluggableharness/protocol/wire";

/** What the caller answers to the plugin; the rest is UNIMPLEMENTED. */
export type CallbackHandlers = Handlers<typeof KernelCallbackService>;

/** As the kernel's: a larger request is refused. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/** A plugin needs one. Descriptors are the host's for all its plugins, and every connection has windows of its own. */
const MAX_CONNECTIONS = 16;

/** A listening callback server. */
export interface CallbackServer extends Disposable {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/** Serves callbacks until it is disposed. Its socket is made in `folder`, which is the caller's. */
export async function serveCallbacks(handlers: CallbackHandlers, folder: string): Promise<CallbackServer> {
  const server = new GrpcServer({
    routes: routes(KernelCallbackService, handlers),
    maxMessageBytes: MAX_REQUEST_BYTES,
  });
  const listener = createServer((socket) => server.accept(socket));
  listener.maxConnections = MAX_CONNECTIONS;
  const path = join(folder, "s");
  // Node has no unix sockets on Windows.
  await listening(listener, process.platform === "win32" ? { host: "127.0.0.1", port: 0 } : { path });
  const bound = listener.address();
  const place =
    typeof bound === "object" && bound !== null
      ? ({ network: "tcp", address: `127.0.0.1:${bound.port}` } as const)
      : ({ network: "unix", address: path } as const);
  return {
    ...place,
    [Symbol.dispose]: () => {
      listener.close();
      server.close();
    },
  };
}

function listening(server: Server, where: { path: string } | { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, resolve);
  });
}
