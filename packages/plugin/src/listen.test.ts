import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import type * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Listener, listen } from "./listen.ts";

let scratch = "";
const open: Listener[] = [];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "listen-"));
});

afterEach(() => {
  for (const listener of open.splice(0)) {
    listener.server.close();
    listener.remove();
  }
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true, force: true });
});

async function started(...args: Parameters<typeof listen>): Promise<Listener> {
  const listener = await listen(...args);
  open.push(listener);
  return listener;
}

const unix = { network: "unix", directory: undefined, group: undefined } as const;

describe("listen on a unix socket", () => {
  it("makes a private folder and removes it, twice if need be", async () => {
    const listener = await started({ ...unix, directory: scratch });
    const folder = join(listener.address, "..");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    listener.remove();
    listener.remove();
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("shares folder and socket with a group where the host names one", async () => {
    const gid = process.getgid?.() ?? 0;
    const listener = await started({ ...unix, directory: scratch, group: String(gid) });
    expect(statSync(join(listener.address, "..")).mode & 0o777).toBe(0o750);
    expect(statSync(listener.address).mode & 0o777).toBe(0o660);
    expect(statSync(listener.address).gid).toBe(gid);
  });

  it("leaves nothing behind where the group is unknown", async () => {
    await expect(listen({ ...unix, directory: scratch, group: "no-such-group-here" })).rejects.toThrow();
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("uses /tmp where TMPDIR is too deep, and says so where the host's own folder is [14]", async () => {
    const deep = join(scratch, "d".repeat(60), "e".repeat(60));
    mkdirSync(deep, { recursive: true });
    vi.stubEnv("TMPDIR", deep);
    const listener = await started(unix);
    expect(listener.address).toMatch(/^\/tmp\/plugin\w{6}\/s$/);
    expect(readdirSync(deep)).toEqual([]);
    await expect(listen({ ...unix, directory: deep })).rejects.toThrow("longer than 100 bytes");
  });

  it("listens below TMPDIR [13]", async () => {
    vi.stubEnv("TMPDIR", scratch);
    expect((await started(unix)).address.startsWith(`${scratch}/plugin`)).toBe(true);
  });

  it("fails where the folder does not exist", async () => {
    await expect(listen({ ...unix, directory: join(scratch, "none") })).rejects.toThrow("ENOENT");
    expect(existsSync(join(scratch, "none"))).toBe(false);
  });
});

describe("listen on TCP", () => {
  const range = (port: number, last = port) => ({ network: "tcp", minPort: port, maxPort: last }) as const;

  it("takes the port it is given, of 127.0.0.1 alone, and the next one where that is busy [10]", async () => {
    const first = await started(range(0));
    const port = Number(first.address.split(":")[1]);
    expect(first.address).toBe(`127.0.0.1:${port}`);
    expect((first.server.address() as net.AddressInfo).address).toBe("127.0.0.1");
    await expect(listen(range(port))).rejects.toThrow(`no free port on 127.0.0.1 from ${port} to ${port}`);
    expect((await started(range(port, port + 50))).address).not.toBe(first.address);
  });
});
