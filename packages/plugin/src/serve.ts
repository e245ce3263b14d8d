// serve: from process start to the handshake line, with as little loaded as that needs. Everything behind the
// first connection is in serving.ts, which is loaded after the line is out: the host waits for the line.
import { writeSync } from "node:fs";
import type { Socket } from "node:net";
import type { Plugin, Tool } from "./define-plugin.ts";
import { EndOfLife } from "./end-of-life.ts";
import { COOKIE_KEY, COOKIE_VALUE, formatHandshakeLine, type Handshake, readHandshake } from "./handshake.ts";
import { type Listener, listen } from "./listen.ts";
import { createLogger, type LogSink, stderrSink } from "./logger.ts";
import { guardStdout } from "./stdout-guard.ts";

// As early as a module can: what other modules print while they load must not become the handshake line. Only
// in a process that a host has started; elsewhere stdout is not ours.
if (process.env[COOKIE_KEY] === COOKIE_VALUE) guardStdout(createLogger("stdout", stderrSink));

/**
 * Runs a plugin: answers the host's handshake, serves its tools, and ends with it. Call it once, from the main
 * module, with every tool of the plugin. Without a host it explains itself on stderr and exits with 1.
 */
export function serve<State>(plugin: Plugin<State>, tools: readonly Tool<State>[]): void {
  if (!isSupported(process.versions.node)) {
    process.stderr.write(
      `${plugin.name} needs Node 20.16 or newer, but \`node\` on its PATH is ${process.versions.node}\n`,
    );
    process.exitCode = 1;
    return;
  }
  const handshake = readHandshake(process.env, process.platform, plugin.name);
  if (handshake.kind === "refused") {
    process.stderr.write(`${handshake.message}\n`);
    process.exitCode = 1;
    return;
  }
  start(plugin, tools, handshake).catch((error: unknown) => {
    createLogger(plugin.name, stderrSink).error("the plugin could not start", { error });
    process.exit(1);
  });
}

/** Older versions lack what the transport and the plugins use, and would fail in the middle of a call. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 16);
}

type Accepted = Extract<Handshake, { kind: "accepted" }>;

async function start<State>(
  plugin: Plugin<State>,
  tools: readonly Tool<State>[],
  handshake: Accepted,
): Promise<void> {
  let sink: LogSink = stderrSink;
  const log = createLogger(plugin.name, (record) => sink(record));
  if (handshake.ignoredVersions.length > 0) {
    log.warn("PLUGIN_PROTOCOL_VERSIONS holds entries that are no numbers", {
      entries: handshake.ignoredVersions,
    });
  }
  const tls =
    handshake.clientCertificate === undefined
      ? undefined
      : (await import("./auto-mtls.ts")).makeServerCertificate(handshake.clientCertificate);
  const listener = await listen(handshake.listen);
  let stop = async (): Promise<void> => {};
  const life = new EndOfLife({
    log,
    crashLog: createLogger(plugin.name, stderrSink),
    stop: () => stop(),
    removeSocket: listener.remove,
  });
  const sockets = holdConnections(listener);

  writeSync(
    1,
    formatHandshakeLine({
      version: handshake.version,
      network: listener.network,
      address: listener.address,
      certificate: tls?.handshakeField ?? "",
      answerMultiplexing: handshake.answerMultiplexing,
    }),
  );

  const { createServing } = await import("./serving.ts");
  const serving = createServing({ plugin, tools, log, tls, life });
  sink = serving.logSink;
  stop = async () => {
    listener.server.close();
    await serving.stop();
  };
  sockets.release((socket) => {
    life.connected();
    serving.accept(socket);
    socket.resume();
  });
}

/** Keeps sockets that come before there is someone to serve them. They are paused, so nothing is lost. */
function holdConnections({ server }: Listener): { release: (serve: (socket: Socket) => void) => void } {
  const waiting: Socket[] = [];
  let take = (socket: Socket): void => void waiting.push(socket);
  server.on("connection", (socket) => take(socket));
  return {
    release: (serve) => {
      take = serve;
      for (const socket of waiting.splice(0)) serve(socket);
    },
  };
}
