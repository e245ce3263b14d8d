// A plugin that turns on its host's callback channel: plain JavaScript that speaks raw HTTP/2 to the socket which the
// host announced.
import { rawPlugin } from "../scripted-plugin.ts";

/**
 * `onAnnounced` sees `where`, the path of the host's socket; `log(message, onStatus)`, which calls Log with these
 * bytes and tells its grpc-status or why there is none; and `done(text)`, which a host in the act `hear` waits for.
 */
export function callbackPlugin(onAnnounced: string): string {
  return rawPlugin("", {
    onBroker: `
      stream.respond(head);
      const net = require("net");
      const done = (text) => process.stderr.write("done: " + text + "\\n");
      stream.once("data", (chunk) => {
        // ConnInfo: the network, then one tag and one length before the address.
        const at = chunk.indexOf("unix") + 6;
        const where = chunk.subarray(at, at + chunk[at - 1]).toString();
        const client = http2.connect("http://localhost", {
          createConnection: () => net.connect(where),
          // Only so that this plugin does not stop itself.
          maxSessionMemory: 4096,
          peerMaxConcurrentStreams: 100_000,
        });
        client.on("error", () => {});
        const log = (message, onStatus) => {
          const call = client.request({
            ":method": "POST",
            ":path": "/pluggableharness.kernel.v1.KernelCallbackService/Log",
            "content-type": "application/grpc",
            te: "trailers",
          });
          let status = "none";
          const take = (headers) => { status = headers["grpc-status"] ?? status; };
          call.on("response", take).on("trailers", take).on("error", () => {}).resume();
          call.once("close", () => onStatus(status));
          const header = Buffer.alloc(5);
          header.writeUInt32BE(message.length, 1);
          call.write(header);
          call.end(message);
        };
        ${onAnnounced}
      });`,
  });
}
