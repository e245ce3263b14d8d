// The time of a call includes its dial, and a call may be given up before there is a connection.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Health } from "@pluggableharness/protocol/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcClient } from "./client.ts";
import { Code } from "./code.ts";

const folder = mkdtempSync(join(tmpdir(), "dial-"));
const path = join(folder, "s");
const sockets = new Set<Socket>();
/** Takes connections and says nothing, for ever. */
const silent = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {});
});
beforeAll(() => new Promise<void>((resolve) => silent.listen(path, resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = Health.method.check;

describe("a call whose connection is not there yet", () => {
  it("ends at its deadline", async () => {
    using client = new GrpcClient({ address: { network: "unix", path } });
    await expect(client.unary(check, {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: Code.DEADLINE_EXCEEDED,
      message: "no connection within 50 ms",
    });
  });

  it("ends when it is cancelled", async () => {
    using client = new GrpcClient({ address: { network: "unix", path } });
    const abort = new AbortController();
    const call = client.unary(check, {}, { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: Code.CANCELLED });
  });

  it("is not begun where it was cancelled before", async () => {
    using client = new GrpcClient({ address: { network: "unix", path: join(folder, "nobody") } });
    await expect(client.unary(check, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: Code.CANCELLED,
    });
  });

  it("leaves the dial to others that wait for it", async () => {
    using client = new GrpcClient({ address: { network: "unix", path }, connectTimeoutMs: 150 });
    const patient = client.unary(check, {});
    await expect(client.unary(check, {}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: Code.DEADLINE_EXCEEDED,
    });
    await expect(patient).rejects.toMatchObject({
      code: Code.UNAVAILABLE,
      message: expect.stringContaining("150 ms"),
    });
  });
});
