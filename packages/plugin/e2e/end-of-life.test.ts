// How a plugin ends. Numbers in brackets: go-plugin-verified.md section 10.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import * as net from "node:net";
import { dirname } from "node:path";
import { GRPCController, ToolService } from "@pluggableharness/protocol/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  configured,
  connect,
  echoPlugin,
  eventually,
  invoke,
  isAlive,
  openBroker,
  type Running,
  serveCallbacks,
  start,
  stopAll,
  temporaryFolder,
} from "./plugin-under-test.ts";

afterEach(stopAll);

const socketFolder = (running: Running) => dirname(running.line.split("|")[3] ?? "");

describe("Shutdown", () => {
  it("is answered, and the process ends with 0 and leaves nothing [34]", async () => {
    const { running, client } = await configured();
    await openBroker(client);
    await expect(client.unary(GRPCController.method.shutdown, {})).resolves.toBeDefined();
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(socketFolder(running))).toBe(false);
  });

  it("does not wait for calls or callbacks that are still running [35]", async () => {
    const { running, client } = await configured();
    const calls = [
      invoke(client, "count", { chunks: 1_000_000, bytes: 10, pause_ms: 1 }),
      invoke(client, "say", { text: "x", mode: "never" }),
      invoke(client, "say", { text: "x", mode: "session" }),
    ].map((call) => call.catch((error: unknown) => error));
    await client.unary(ToolService.method.describe, {});
    await client.unary(GRPCController.method.shutdown, {});
    expect(await running.exit).toEqual({ code: 0, signal: null });
    await Promise.all(calls);
  });

  it("ends children a tool has started, and holds none of the host's pipes [40]", async () => {
    const { running, client } = await configured();
    const [event] = await invoke(client, "say", { text: "x", mode: "child" });
    const pid = Number(event?.case === "result" ? event.value.payload?.["text"] : Number.NaN);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
    await client.unary(GRPCController.method.shutdown, {});
    // `exit` waits for the end of both pipes, as go-plugin's Kill does.
    expect((await running.exit).code).toBe(0);
  });
});

describe("signals", () => {
  it("ignores SIGINT, which is the host's business [37]", async () => {
    const { running, client } = await configured();
    for (let times = 0; times < 3; times++) running.process.kill("SIGINT");
    await invoke(client, "say", { text: "still here" });
    expect(running.process.exitCode).toBeNull();
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("ends in order on %s [38]", async (signal) => {
    const { running } = await configured();
    running.process.kill(signal);
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(socketFolder(running))).toBe(false);
  });
});

describe("a host that goes away", () => {
  it("is noticed by the end of its connection, whatever GOAWAY it sends [36]", async () => {
    const { running, client } = await configured();
    const broker = await openBroker(client);
    broker.announce(1, "unix", "/nowhere");
    await client.unary(ToolService.method.describe, {});
    client.close();
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(running.stderr()).not.toContain("crashed");
    expect(existsSync(socketFolder(running))).toBe(false);
  });

  it("is not confused with another client that comes and goes", async () => {
    const { running, client } = await configured();
    const kernel = await serveCallbacks({ getSession: () => ({ remainingDepth: 3 }) });
    const broker = await openBroker(client);
    const stranger = connect(running);
    const strangeBroker = await openBroker(stranger);
    broker.announce(1, "unix", kernel.address);
    await client.unary(ToolService.method.describe, {});
    strangeBroker.announce(1, "unix", "/nowhere");
    await stranger.unary(ToolService.method.describe, {});
    stranger.close();
    await strangeBroker.ended;
    // Longer than the grace after which a plugin without a host ends.
    await expect(invoke(client, "count", { chunks: 15, bytes: 1, pause_ms: 100 })).resolves.toHaveLength(17);
    expect((await invoke(client, "say", { text: "", mode: "session" })).at(-1)).toMatchObject({
      value: { payload: { text: "depth 3" } },
    });
  });

  it("by a GOAWAY with an odd stream id and open streams is no crash [36]", async () => {
    const running = await start();
    const socket = net.connect(running.line.split("|")[3] ?? "");
    const frame = (type: number, flags: number, stream: number, payload: Buffer) => {
      const head = Buffer.alloc(9);
      head.writeUIntBE(payload.length, 0, 3);
      head.writeUInt8(type, 3);
      head.writeUInt8(flags, 4);
      head.writeUInt32BE(stream, 5);
      return Buffer.concat([head, payload]);
    };
    const literal = (name: string, value: string) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]);
    const headers = Buffer.concat(
      [
        [":method", "POST"],
        [":scheme", "http"],
        [":path", "/plugin.GRPCBroker/StartStream"],
        [":authority", "unused"],
        ["content-type", "application/grpc"],
        ["te", "trailers"],
      ].map(([name = "", value = ""]) => literal(name, value)),
    );
    const goaway = Buffer.alloc(8);
    goaway.writeUInt32BE(3, 0);
    socket.on("error", () => {});
    socket.write(
      Buffer.concat([
        Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        frame(4, 0, 0, Buffer.alloc(0)),
        frame(1, 4, 1, headers),
      ]),
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.end(frame(7, 0, 0, goaway));
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(running.stderr()).not.toContain("crashed");
  });

  it("without a word, by SIGKILL, takes the plugin with it [39]", async () => {
    const folder = temporaryFolder();
    const host = hostProcess(folder);
    const [pid, path] = await firstLine(host);
    const client = connectTo(path);
    const broker = await openBroker(client);
    await client.unary(ToolService.method.configure, { config: { greeting: "x" } });
    const call = invoke(client, "count", { chunks: 1_000_000, bytes: 10, pause_ms: 1 }).catch(
      (error: unknown) => error,
    );
    host.kill("SIGKILL");
    client.close();
    await eventually(
      () => isAlive(Number(pid)),
      (alive) => !alive,
    );
    expect(readdirSync(folder)).toEqual([]);
    await Promise.all([call, broker.ended]);
  });

  it("before it ever connected takes the plugin with it, by its parent's death [39]", async () => {
    const folder = temporaryFolder();
    const host = hostProcess(folder);
    const [pid] = await firstLine(host);
    host.kill("SIGKILL");
    await eventually(
      () => isAlive(Number(pid)),
      (alive) => !alive,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  /** A parent whose death the plugin must notice; it prints the plugin's pid and socket, and closes its pipes only by dying. */
  function hostProcess(folder: string): ChildProcess {
    const source = `
      const child = require("node:child_process").spawn(${JSON.stringify(echoPlugin())}, [], { stdio: ["ignore", "pipe", "pipe"] });
      child.stderr.on("data", () => {});
      child.stdout.once("data", (line) => console.log(child.pid + " " + String(line).split("|")[3]));`;
    return spawn(process.execPath, ["-e", source], {
      env: {
        PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
        TMPDIR: folder,
        PLUGGABLEHARNESS_AGENT_PLUGIN: "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  async function firstLine(host: ChildProcess): Promise<string[]> {
    const line = await new Promise<Buffer>((resolve) => host.stdout?.once("data", resolve));
    return String(line).trim().split(" ");
  }

  function connectTo(path = "") {
    return connect({ line: `1|1|unix|${path}|grpc|` });
  }
});

describe("a crash", () => {
  it.each([
    ["an uncaught exception", "crash", "crashed on purpose"],
    ["an unhandled rejection", "reject", "rejected on purpose"],
  ])("by %s logs the stack, ends with 1 and leaves no socket", async (_name, mode, words) => {
    const { running, client } = await configured();
    await invoke(client, "say", { text: "x", mode }).catch(() => []);
    expect((await running.exit).code).toBe(1);
    expect(running.stderr()).toContain(words);
    expect(running.stderr()).toMatch(/"error":"Error: .*\\n {4}at /);
    expect(existsSync(socketFolder(running))).toBe(false);
  });
});
