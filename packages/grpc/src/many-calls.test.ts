// Many more calls at once than a connection carries: all of them are answered.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@pluggableharness/protocol/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcClient } from "./client.ts";
import { GrpcServer } from "./server.ts";
import { routes } from "./service.ts";

const folder = mkdtempSync(join(tmpdir(), "many-"));
const path = join(folder, "s");
const server = new GrpcServer({
  routes: routes(Health, { check: () => ({ status: ServingStatus.SERVING }) }),
});
const listener = createServer((socket) => server.accept(socket));
beforeAll(() => new Promise<void>((resolve) => listener.listen(path, resolve)));
afterAll(() => {
  server.close();
  listener.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("ten thousand calls at once", () => {
  it("are all answered, on one connection", async () => {
    using client = new GrpcClient({ address: { network: "unix", path } });
    const calls = Array.from({ length: 10_000 }, () =>
      client.unary(Health.method.check, { service: "plugin" }),
    );
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect([...statuses]).toEqual([ServingStatus.SERVING]);
  });
});
