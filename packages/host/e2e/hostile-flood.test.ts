// A host survives plugins that write without end, wherever they write. What is counted in gigabytes elsewhere has no end
// here: the host has to stop it.
import { afterAll, describe, expect, it } from "vitest";
import { stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import { meet, TIME_MS } from "./meet-host.ts";
import { rawPlugin, script } from "./scripted-plugin.ts";

afterAll(stopAll);

const on = (method: string, source: string): string =>
  rawPlugin(`if (method === "${method}") { ${source}; return; }`);

describe("a host", { timeout: TIME_MS + 5_000 }, () => {
  describe("survives a flood:", () => {
    const endless = (stream: string, chunk: string): string =>
      `const chunk = Buffer.from(${chunk}); const more = () => { while (${stream}.write(chunk)); ${stream}.once("drain", more); }; more();`;

    it.concurrent.each([
      [
        "stdout without end before the handshake",
        "launch",
        script(endless("process.stdout", '"x".repeat(1 << 16)')),
        "longer than 65536 bytes",
      ],
      [
        "lines of stdout without end before the handshake",
        "launch",
        script(endless("process.stdout", '"x\\n".repeat(1 << 15)')),
        "is no handshake",
      ],
      [
        "stderr without end before the handshake",
        "launch",
        script(endless("process.stderr", '"x".repeat(1 << 16)')),
        "no handshake line within 2000 ms",
      ],
      [
        "stdout without end",
        "idle",
        rawPlugin("", { onListening: endless("process.stdout", '"x".repeat(1 << 16)') }),
        "waited",
      ],
      [
        "stderr without end, in one line",
        "idle",
        rawPlugin("", { onListening: endless("process.stderr", '"x".repeat(1 << 16)') }),
        "waited",
      ],
      [
        "log records without end",
        "idle",
        rawPlugin("", {
          onListening: endless(
            "process.stderr",
            `(JSON.stringify({ "@level": "info", "@message": "x".repeat(1000) }) + "\\n").repeat(64)`,
          ),
        }),
        "waited",
      ],
      [
        "output without end, which is left",
        "invoke",
        on(
          "Invoke",
          `stream.respond(head); const b = Buffer.alloc(1 << 18, "x"); const n = b.length; ${outputEvent()}; const more = () => { while (stream.write(event)); stream.once("drain", more); }; more()`,
        ),
        "read enough",
      ],
      [
        "progress without end, past the deadline",
        "invokeQuickly",
        on(
          "Invoke",
          `stream.respond(head); const more = () => { while (stream.write(progress)); stream.once("drain", more); }; more()`,
        ),
        "timeout",
      ],
      [
        "one message of 4 GiB",
        "invokeQuickly",
        on(
          "Invoke",
          `stream.respond(head); stream.write(Buffer.from([0, 255, 255, 255, 255])); ${endless("stream", '"x".repeat(1 << 16)')}`,
        ),
        "unknown",
      ],
      [
        "one message of 600 MB",
        "invokeQuickly",
        on(
          "Invoke",
          `stream.respond(head); stream.write(Buffer.from([0, 0x23, 0xc3, 0x46, 0])); ${endless("stream", '"x".repeat(1 << 16)')}`,
        ),
        "unknown",
      ],
      [
        "announcements on the broker's stream without end",
        "idle",
        rawPlugin("", {
          onBroker: `stream.respond(head); const more = () => { while (stream.write(frame(8, 1))); stream.once("drain", more); }; more();`,
        }),
        "waited",
      ],
      [
        "output on the stdio stream without end",
        "idle",
        rawPlugin("", {
          onStdio: `stream.respond(head); const m = Buffer.concat([Buffer.from([0, 0, 1, 0, 6, 8, 1, 18, 128, 128, 4]), Buffer.alloc(65536)]); m.writeUInt32BE(m.length - 5, 1); const more = () => { while (stream.write(m)); stream.once("drain", more); }; more();`,
        }),
        "waited",
      ],
      [
        "a status message of 60 KB",
        "describe",
        on(
          "Describe",
          `stream.respond({ ...head, "grpc-status": "3", "grpc-message": "x".repeat(60000) }, { endStream: true })`,
        ),
        "",
      ],
    ])("%s", async (_name, act, plugin, words) => {
      expect((await meet(act, plugin)).seen).toContain(words);
    });
  });
});

/** Source for `event`: an output_chunk event that holds `b`. */
function outputEvent(): string {
  return `
    const v = (n) => { const out = []; for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128); out.push(n); return Buffer.from(out); };
    const f = (tag, body) => Buffer.concat([Buffer.from([tag]), v(body.length), body]);
    const m = f(10, f(10, Buffer.concat([Buffer.from([8, 1]), f(18, b)])));
    const h = Buffer.alloc(5); h.writeUInt32BE(m.length, 1); const event = Buffer.concat([h, m])`;
}
