// Plugins that misbehave as their test says: plain JavaScript or shell, run as an executable.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../plugin/e2e/plugin-under-test.ts";

/** An executable script of Node. */
export function script(source: string): string {
  return executable(`#!${process.execPath}\n${source}`);
}

/** An executable script of the shell. */
export function shellScript(source: string): string {
  return executable(`#!/bin/sh\n${source}`);
}

function executable(content: string): string {
  const path = join(temporaryFolder(), "plugin");
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

/**
 * A plugin on raw HTTP/2. `onStream` sees `method`, `stream`, `head`, `reply(...messages)` and the messages `frame()`,
 * `result`, `progress`, `exit` and `failure`; what it does not answer is UNIMPLEMENTED. Its socket is left where it
 * was, as that of a plugin that was killed.
 */
export function rawPlugin(
  onStream: string,
  { onShutdown = "process.exit()", onListening = "", onBroker = "", onStdio = "" } = {},
): string {
  return script(`
    const http2 = require("http2");
    const path = require("fs").mkdtempSync(process.env.PLUGIN_UNIX_SOCKET_DIR + "/raw") + "/s";
    const frame = (...bytes) => Buffer.from([0, 0, 0, 0, bytes.length, ...bytes]);
    const result = frame(10, 2, 42, 0), progress = frame(10, 2, 18, 0), exit = frame(10, 2, 34, 0);
    const failure = frame(10, 2, 50, 0);
    const server = http2.createServer();
    server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      const method = headers[":path"].split("/")[2];
      const head = { ":status": 200, "content-type": "application/grpc" };
      const reply = (...messages) => {
        stream.respond(head, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        for (const message of messages) stream.write(message);
        stream.end();
      };
      if (method === "StartStream") { ${onBroker} return; }
      if (method === "StreamStdio") { ${onStdio} return; }
      if (method === "Shutdown") { reply(frame()); stream.once("close", () => { ${onShutdown} }); return; }
      ${onStream}
      stream.respond({ ...head, "grpc-status": "12" }, { endStream: true });
    });
    server.listen(path, () => { console.log("1|1|unix|" + path + "|grpc|"); ${onListening} });`);
}

/**
 * A plugin that speaks no HTTP/2 but what its test writes: `onConnection` sees `socket`, `frame(type, flags, stream,
 * payload)`, `empty` and `flood(bytes)`, which writes without end.
 */
export function framePlugin(onConnection: string): string {
  return script(`
    const path = require("fs").mkdtempSync(process.env.PLUGIN_UNIX_SOCKET_DIR + "/raw") + "/s";
    const empty = Buffer.alloc(0);
    const frame = (type, flags, stream, payload) => {
      const header = Buffer.alloc(9);
      header.writeUIntBE(payload.length, 0, 3);
      header.writeUInt8(type, 3);
      header.writeUInt8(flags, 4);
      header.writeUInt32BE(stream, 5);
      return Buffer.concat([header, payload]);
    };
    const server = require("net").createServer((socket) => {
      socket.on("error", () => {});
      socket.resume();
      const flood = (bytes) => {
        const many = Buffer.concat(Array(64).fill(bytes));
        const more = () => { while (socket.writable && socket.write(many)); socket.once("drain", more); };
        more();
      };
      ${onConnection};
    });
    server.listen(path, () => console.log("1|1|unix|" + path + "|grpc|"));`);
}
