// A host survives plugins that speak garbage on the wire: another protocol, broken frames, frames without end.
import { afterAll, describe, expect, it } from "vitest";
import { stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import { meet, TIME_MS } from "./meet-host.ts";
import { framePlugin } from "./scripted-plugin.ts";

afterAll(stopAll);

describe("a host", { timeout: TIME_MS + 5_000 }, () => {
  describe("survives garbage on the wire:", () => {
    const settings = "frame(4, 0, 0, empty)";
    it.concurrent.each([
      ["random bytes", "socket.write(require('crypto').randomBytes(100000))"],
      ["HTTP/1.1", 'socket.write("HTTP/1.1 200 OK\\r\\n\\r\\nhello")'],
      ["a TLS alert", "socket.write(Buffer.from([21, 3, 3, 0, 2, 2, 40]))"],
      ["nothing at all, and closes", "socket.end()"],
      ["half a frame", `socket.write(${settings}); socket.write(Buffer.from([0, 0, 50, 0]))`],
      [
        "DATA of a stream that does not exist",
        `socket.write(${settings}); socket.write(frame(0, 0, 99, Buffer.alloc(10)))`,
      ],
      ["GOAWAY at once", `socket.write(${settings}); socket.write(frame(7, 0, 0, Buffer.alloc(8)))`],
      [
        "WINDOW_UPDATE of nothing",
        `socket.write(${settings}); socket.write(frame(8, 0, 0, Buffer.alloc(4)))`,
      ],
      [
        "a frame that is too large",
        `socket.write(${settings}); socket.write(frame(0, 0, 1, Buffer.alloc(1 << 20)))`,
      ],
      [
        "a PUSH_PROMISE",
        `socket.write(${settings}); socket.write(frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x88])))`,
      ],
      [
        "HEADERS that do not decode",
        `socket.write(${settings}); socket.write(frame(1, 5, 1, Buffer.alloc(50, 255)))`,
      ],
      [
        "CONTINUATION without end",
        `socket.write(${settings}); socket.write(frame(1, 0, 1, Buffer.from([0x88]))); flood(frame(9, 0, 1, Buffer.concat([Buffer.from([0, 1, 120, 127, 129, 126]), Buffer.alloc(16000, 120)])))`,
      ],
      ["PING without end", `socket.write(${settings}); flood(frame(6, 0, 0, Buffer.alloc(8)))`],
      ["SETTINGS without end", `socket.write(${settings}); flood(${settings})`],
      ["empty DATA without end", `socket.write(${settings}); flood(frame(0, 0, 1, empty))`],
      ["RST_STREAM without end", `socket.write(${settings}); flood(frame(3, 0, 1, Buffer.alloc(4)))`],
      [
        "informational headers without end",
        `socket.write(${settings}); setTimeout(() => flood(frame(1, 4, 1, Buffer.from([8, 3, 49, 48, 51]))), 300)`,
      ],
      ["unknown frames without end", `socket.write(${settings}); flood(frame(77, 0, 0, Buffer.alloc(100)))`],
    ])("%s", async (_name, source) => {
      const { seen } = await meet("describeImpatiently", framePlugin(source));
      expect(seen).toMatch(/cannot launch|unknown|timeout|cancelled|process_crashed/);
    });
  });
});
