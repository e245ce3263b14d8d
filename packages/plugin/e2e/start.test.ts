// Start of a plugin process, seen from outside. Numbers in brackets: go-plugin-verified.md section 10.

import { X509Certificate } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import * as net from "node:net";
import { dirname } from "node:path";
import * as tls from "node:tls";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { afterEach, describe, expect, it } from "vitest";
import { selfSigned } from "../src/auto-mtls.ts";
import { configured, connect, invoke, start, stopAll, temporaryFolder } from "./plugin-under-test.ts";

afterEach(stopAll);

describe("a plugin started without a host", () => {
  it.each([
    ["no cookie [1]", { PLUGGABLEHARNESS_AGENT_PLUGIN: undefined }],
    ["a wrong cookie [2]", { PLUGGABLEHARNESS_AGENT_PLUGIN: "wrong" }],
  ])("explains itself on stderr and leaves nothing: %s", async (_name, environment) => {
    const folder = temporaryFolder();
    const running = await start({ TMPDIR: folder, ...environment });
    expect(await running.exit).toEqual({ code: 1, signal: null });
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toContain("harness call");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a plugin started by a host", () => {
  it("prints exactly one line, and whoever connects at once is served [3, 4]", async () => {
    const running = await start();
    expect(running.stdout()).toMatch(/^1\|1\|unix\|[^|\n]+\|grpc\|\n$/);
    await expect(connect(running).unary(ToolService.method.describe, {})).resolves.toMatchObject({
      producer: { name: "echo", version: "1.2.3", category: 2, protocolVersion: 1 },
    });
    expect(running.stdout().split("\n")).toHaveLength(2);
  });

  it("sends HTTP/2 SETTINGS without being asked [4]", async () => {
    const running = await start();
    const socket = net.connect(running.line.split("|")[3] ?? "");
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000");
    const first = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
    socket.destroy();
    expect(first[3]).toBe(4);
  });

  it("sends what is printed to the log, before and after the handshake [5]", async () => {
    const { running, client } = await configured({ ECHO_PRINTS_AT_START: "1" });
    await invoke(client, "say", { text: "you", mode: "print" });
    expect(running.stdout().split("\n")).toHaveLength(2);
    expect(running.stderr()).toContain("printed while loading");
    expect(running.stderr()).toContain("stray");
  });

  it.each([
    ["9", "1"],
    ["x,1", "1"],
    ["", "1"],
    ["2,1", "1"],
  ])("answers the versions %j with %j [7, 8, 9]", async (offered, version) => {
    const running = await start({ PLUGIN_PROTOCOL_VERSIONS: offered });
    expect(running.line.split("|")[1]).toBe(version);
  });

  it("puts its socket below PLUGIN_UNIX_SOCKET_DIR or TMPDIR, in a private folder [12, 13]", async () => {
    const folder = temporaryFolder();
    const own = await start({ TMPDIR: folder });
    const named = await start({ TMPDIR: "/tmp", PLUGIN_UNIX_SOCKET_DIR: folder });
    for (const running of [own, named]) {
      const path = running.line.split("|")[3] ?? "";
      expect(path.startsWith(`${folder}/`)).toBe(true);
      expect(statSync(dirname(path)).mode & 0o077).toBe(0);
    }
  });

  it("ends with a reason and no handshake where its socket cannot be made [14]", async () => {
    const running = await start({ PLUGIN_UNIX_SOCKET_DIR: `/tmp/${"x".repeat(120)}` });
    expect((await running.exit).code).toBe(1);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toContain("longer than 100 bytes");
  });

  it("declines multiplexing in a seventh field [15, 16]", async () => {
    expect((await start({ PLUGIN_MULTIPLEX_GRPC: "true" })).line.split("|").slice(5)).toEqual(["", "false"]);
    expect((await start()).line.split("|").slice(5)).toEqual([""]);
  });

  it.each(["pipe", "ignore"] as const)("lives on whatever stdin is: %s [47]", async (stdin) => {
    const running = await start({}, { stdin });
    running.process.stdin?.end();
    await connect(running).unary(ToolService.method.describe, {});
    expect(running.process.exitCode).toBeNull();
  });

  it("may take its time to load, and prints nothing until it listens [49]", async () => {
    const running = await start({ ECHO_LOADS_FOR_MS: "1500" });
    expect(running.stdout()).toMatch(/^1\|1\|unix\|[^|\n]+\|grpc\|\n$/);
    await connect(running).unary(ToolService.method.describe, {});
  });

  it("shares the machine with another of its kind [48]", async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.line).not.toBe(two.line);
    await Promise.all([one, two].map((running) => connect(running).unary(ToolService.method.describe, {})));
  });
});

describe("AutoMTLS", () => {
  const host = selfSigned();
  const hostPair = { cert: host.certificate.toString(), key: host.key };

  async function startedWithTls() {
    const running = await start({ PLUGIN_CLIENT_CERT: hostPair.cert });
    const [, , , path = "", , field = ""] = running.line.split("|");
    const certificate = new X509Certificate(Buffer.from(field, "base64"));
    return { running, path, field, certificate };
  }

  it("serves whoever holds the host's key, proved by the certificate of the line alone [17, 18, 19]", async () => {
    const { path, field, certificate } = await startedWithTls();
    expect(field).not.toContain("=");
    expect(certificate.subjectAltName).toBe("DNS:localhost");
    using client = new GrpcClient({
      address: { network: "unix", path },
      tls: { ...hostPair, ca: certificate.toString() },
    });
    await client.unary(ToolService.method.describe, {});
  });

  it.each([
    ["no certificate", {}],
    [
      "another certificate",
      (({ certificate, key }) => ({ cert: certificate.toString(), key }))(selfSigned()),
    ],
  ])("refuses a client with %s [18]", async (_name, pair) => {
    const { path, certificate, running } = await startedWithTls();
    const socket = tls.connect({
      path,
      ca: certificate.toString(),
      servername: "localhost",
      ALPNProtocols: ["h2"],
      ...pair,
    });
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("secureConnect", () => socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    await new Promise<void>((resolve) => {
      socket.on("error", () => {});
      socket.once("close", () => resolve());
    });
    expect(Buffer.concat(received).length).toBe(0);
    expect(running.process.exitCode).toBeNull();
  });

  it("serves nothing in clear [18]", async () => {
    const { path } = await startedWithTls();
    using client = new GrpcClient({ address: { network: "unix", path }, connectTimeoutMs: 2_000 });
    await expect(client.unary(ToolService.method.describe, {})).rejects.toThrow("cannot connect");
  });

  it("ends with a reason where the host's certificate is none", async () => {
    const folder = temporaryFolder();
    const running = await start({ PLUGIN_CLIENT_CERT: "garbage", TMPDIR: folder });
    expect((await running.exit).code).toBe(1);
    expect(running.stdout()).toBe("");
    expect(running.stderr()).toContain("PLUGIN_CLIENT_CERT is not a certificate");
    expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
  });
});
