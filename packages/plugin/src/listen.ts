// Listens where the host wants it: a unix socket in a private folder, or a TCP port of 127.0.0.1. Owns what it
// made on disk and removes it (go-plugin-verified.md section 6).
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import type { ListenPlan } from "./handshake.ts";

/** The operating systems' limit is 104 to 108; Node before 24 cuts a longer path without saying so. */
const MAX_SOCKET_PATH_BYTES = 100;

/** A listener and what it left on disk. */
export interface Listener {
  readonly server: net.Server;
  readonly network: "unix" | "tcp";
  /** Socket path, or `127.0.0.1:port`. */
  readonly address: string;
  /** Removes the socket and its folder; safe to call twice and from an exit handler. */
  remove(): void;
}

/** Listens as planned. Throws with a message for the operator where it cannot. */
export async function listen(plan: ListenPlan): Promise<Listener> {
  return plan.network === "unix"
    ? await listenUnix(plan.directory, plan.group)
    : await listenTcp(plan.minPort, plan.maxPort);
}

async function listenUnix(directory: string | undefined, group: string | undefined): Promise<Listener> {
  const folder = makeSocketFolder(directory, group !== undefined);
  const address = path.join(folder, "s");
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const server = await listening({ path: address });
    if (group !== undefined) await shareWithGroup(folder, address, group);
    return { server, network: "unix", address, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A private folder for the socket: other users cannot reach it whatever the umask. */
function makeSocketFolder(directory: string | undefined, shared: boolean): string {
  // A deep TMPDIR is common on macOS and in test runners; /tmp is short. The host's own choice is not replaced.
  const candidates = directory === undefined ? [os.tmpdir(), "/tmp"] : [directory];
  for (const candidate of candidates) {
    const prefix = path.resolve(candidate, "plugin");
    if (Buffer.byteLength(prefix) + "XXXXXX/s".length > MAX_SOCKET_PATH_BYTES || prefix.includes("|"))
      continue;
    try {
      const folder = fs.mkdtempSync(prefix);
      fs.chmodSync(folder, shared ? 0o750 : 0o700);
      return folder;
    } catch (error) {
      if (candidate === candidates.at(-1)) throw error;
    }
  }
  throw new Error(
    `no folder for the socket: ${candidates.join(" and ")} would make its path longer than ${MAX_SOCKET_PATH_BYTES} bytes; set TMPDIR to a shorter path`,
  );
}

async function shareWithGroup(folder: string, address: string, group: string): Promise<void> {
  const gid = /^\d+$/.test(group) ? Number(group) : await groupId(group);
  fs.chownSync(folder, -1, gid);
  fs.chownSync(address, -1, gid);
  fs.chmodSync(address, 0o660);
}

async function groupId(name: string): Promise<number> {
  // Loaded only here: most hosts name no group, and all of them wait for the handshake.
  const { execFileSync } = await import("node:child_process");
  const line = execFileSync("getent", ["group", name], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return Number(line.split(":")[2]);
}

async function listenTcp(minPort: number, maxPort: number): Promise<Listener> {
  for (let port = minPort; port <= maxPort; port++) {
    try {
      const server = await listening({ host: "127.0.0.1", port });
      const address = server.address();
      const bound = typeof address === "object" && address !== null ? address.port : port;
      return { server, network: "tcp", address: `127.0.0.1:${bound}`, remove: () => {} };
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
  }
  throw new Error(`no free port on 127.0.0.1 from ${minPort} to ${maxPort}`);
}

function listening(where: net.ListenOptions): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    // Paused until the HTTP/2 layer is there to read: it is loaded after the handshake line is out.
    const server = net.createServer({ pauseOnConnect: true });
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
