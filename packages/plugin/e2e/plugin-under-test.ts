// Starts a fixture plugin as a host does, and gives tests its process, its line and a client. Everything that is
// started is stopped by `stopAll`.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MessageShape } from "@bufbuild/protobuf";
import { GrpcClient, GrpcServer, type Handlers, routes } from "@pluggableharness/grpc";
import {
  GRPCBroker,
  KernelCallbackService,
  type ToolEventSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { buildSync } from "esbuild";

type ToolEvent = MessageShape<typeof ToolEventSchema>["event"];

const cookie = { PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake" };
const cleanups: (() => void | Promise<void>)[] = [];
let built: string | undefined;

/** Stops and removes everything the tests started. */
export async function stopAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** A private temporary folder for the sockets of this test's plugins. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sdk-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The echo fixture as one executable file, as plugins are shipped; built once by each process that asks. */
export function echoPlugin(): string {
  if (built !== undefined) return built;
  const folder = fileURLToPath(new URL("../../../node_modules/.cache/echo-plugin", import.meta.url));
  const outfile = join(folder, `building-${process.pid}`);
  buildSync({
    entryPoints: [fileURLToPath(new URL("fixtures/echo-plugin.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    conditions: ["source"],
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "error",
  });
  chmodSync(outfile, 0o755);
  // Beside a package.json of "type": "module" the file would be read as an ES module.
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  built = join(folder, "plugin-tool-echo");
  // Renamed, since another test process may be starting it right now.
  renameSync(outfile, built);
  return built;
}

export interface Running {
  readonly process: ChildProcess;
  /** The handshake line, without its newline. */
  readonly line: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts the plugin and waits for its line, or for its end. */
export async function start(
  environment: NodeJS.ProcessEnv = {},
  options: { stdin?: "pipe" | "ignore" } = {},
): Promise<Running> {
  const child = spawn(echoPlugin(), [], {
    env: {
      PATH: `${join(process.execPath, "..")}:${process.env["PATH"]}`,
      HOME: tmpdir(),
      ...cookie,
      PLUGIN_PROTOCOL_VERSIONS: "1",
      ...environment,
    },
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    err += chunk;
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  cleanups.push(async () => {
    // Politely first: a plugin that is killed cannot remove its socket.
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await exit;
    clearTimeout(killer);
  });
  await Promise.race([
    exit,
    new Promise<void>((resolve) => {
      child.stdout?.on("data", () => {
        if (out.includes("\n")) resolve();
      });
    }),
  ]);
  return { process: child, line: out.split("\n")[0] ?? "", stdout: () => out, stderr: () => err, exit };
}

/** A client for a running plugin. */
export function connect(running: Pick<Running, "line">): GrpcClient {
  const client = new GrpcClient({ address: { network: "unix", path: running.line.split("|")[3] ?? "" } });
  cleanups.push(() => client.close());
  return client;
}

/** A started, connected and configured plugin. */
export async function configured(
  environment: NodeJS.ProcessEnv = {},
): Promise<{ running: Running; client: GrpcClient }> {
  const running = await start(environment);
  const client = connect(running);
  await client.unary(ToolService.method.configure, { config: { greeting: "hello" } });
  return { running, client };
}

/** The events of one call. */
export async function invoke(
  client: GrpcClient,
  toolName: string,
  args: Record<string, string | number>,
  options: Parameters<GrpcClient["serverStream"]>[2] = {},
): Promise<ToolEvent[]> {
  const events: ToolEvent[] = [];
  const call = {
    id: "call-1",
    toolName,
    arguments: args,
    callContext: { sessionId: "session-1", workingDirectory: "/" },
  };
  for await (const response of client.serverStream(ToolService.method.invoke, { call }, options)) {
    if (response.event !== undefined) events.push(response.event.event);
  }
  return events;
}

export interface Callbacks {
  readonly address: string;
  readonly server: GrpcServer;
  /** Ends every connection, as a host does that is shutting down. */
  dropConnections(): void;
  readonly listener: Server;
}

/** A kernel's callback service on a socket of its own. */
export async function serveCallbacks(
  handlers: Handlers<typeof KernelCallbackService>,
  tcp = false,
): Promise<Callbacks> {
  const server = new GrpcServer({
    routes: routes(KernelCallbackService, handlers),
    maxMessageBytes: 4 * 1024 * 1024,
  });
  const listener = createServer((socket) => server.accept(socket));
  const path = join(temporaryFolder(), "kernel");
  await new Promise<void>((resolve) =>
    tcp ? listener.listen(0, "127.0.0.1", resolve) : listener.listen(path, resolve),
  );
  cleanups.push(() => {
    listener.close();
    server.close();
  });
  const bound = listener.address();
  const address = typeof bound === "object" && bound !== null ? `127.0.0.1:${bound.port}` : path;
  return { address, server, listener, dropConnections: () => server.close() };
}

/** Opens the broker stream as a host does. */
export async function openBroker(client: GrpcClient) {
  const call = await client.open(GRPCBroker.method.startStream);
  const ended = (async () => {
    for await (const _ of call.responses());
  })().catch((error: unknown) => error);
  return {
    announce: (serviceId: number, network: string, address: string) =>
      call.send({ serviceId, network, address }),
    knock: (serviceId: number, address: string) =>
      call.send({ serviceId, network: "unix", address, knock: { knock: true } }),
    halfClose: () => call.end(),
    cancel: () => call.cancel(),
    ended,
  };
}

/** Waits until `condition` holds; fails after ten seconds with the last value. */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  condition: (value: T) => boolean,
): Promise<T> {
  const until = performance.now() + 10_000;
  for (;;) {
    const value = await probe();
    if (condition(value)) return value;
    if (performance.now() > until)
      throw new Error(`did not happen within 10 s; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** True while the process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
