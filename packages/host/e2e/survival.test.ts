// A host survives plugins that abuse what a host leaves open for them: its log, its callbacks, the broker's stream, and
// its patience. The floods, the garbage frames, the lies and the deaths are in hostile-*.test.ts.
import { afterAll, describe, expect, it } from "vitest";
import { stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import { callbackPlugin } from "./hostile/callback-plugin.ts";
import { meet, TIME_MS } from "./meet-host.ts";
import { framePlugin, rawPlugin } from "./scripted-plugin.ts";

afterAll(stopAll);

/** What the plugin does, what the host does with it, and what the host then says. */
type Row = [name: string, act: string, plugin: string, words: RegExp];

const on = (method: string, source: string, onListening = ""): string =>
  rawPlugin(`if (method === "${method}") { ${source}; return; }`, { onListening });
const nested = `"[".repeat(30000) + "]".repeat(30000)`;
const producer = "reply(frame(10, 3, 10, 1, 120))";
/** Field 15 of a LogRequest, which there is not: as large as `bytes` says with its three to five bytes of head. */
const filler = (bytes: number): string =>
  `(() => { const m = Buffer.alloc(${bytes}); let n = ${bytes} - 6; m[0] = 0x7a; for (let i = 1; i < 6; i++) { m[i] = (n & 127) | (i < 5 ? 128 : 0); n >>= 7; } return m; })()`;

describe("a host", { timeout: TIME_MS + 5_000 }, () => {
  it.concurrent.each<Row>([
    [
      "logs a record nested deeper than a stack holds",
      "hear",
      rawPlugin("", {
        onListening: `process.stderr.write('{"@level":"info","@message":"m","a":' + ${nested} + '}\\ndone\\n');`,
      }),
      /^done; few/,
    ],
    [
      "calls Log 10,000 times, 100 at once",
      "hear",
      callbackPlugin(
        `let ok = 0; const wave = (left) => { let ended = 0; for (let i = 0; i < 100; i++) log(Buffer.alloc(0), (status) => { if (status === "0") ok++; if (++ended === 100) { if (left > 1) wave(left - 1); else done(ok + " logged"); } }); }; wave(100);`,
      ),
      /^done: 10000 logged; few/,
    ],
    [
      // So many that a plugin on Node never reads an answer: it does not read while it has to write.
      "calls Log 10,000 times at once",
      "idle",
      callbackPlugin("for (let i = 0; i < 10000; i++) log(Buffer.alloc(0), () => {});"),
      /^waited/,
    ],
    [
      // 400 MB: more than the host may hold at all.
      "calls Log with 100 messages of 4 MiB at once",
      "hear",
      callbackPlugin(
        `const m = ${filler(4 * 1024 * 1024)}; let ok = 0, ended = 0; for (let i = 0; i < 100; i++) log(m, (status) => { if (status === "0") ok++; if (++ended === 100) done(ok + " logged"); });`,
      ),
      /^done: 100 logged; few/,
    ],
    [
      "calls Log with more than 4 MiB",
      "hear",
      callbackPlugin(
        `log(${filler(4 * 1024 * 1024 + 1)}, (status) => done("status " + status + ", a smaller one:") || log(Buffer.alloc(0), () => {}));`,
      ),
      /^done: status 8/,
    ],
    [
      // Each of them would have windows of its own, and descriptors are the host's for all of its plugins.
      "opens 3,000 connections for callbacks",
      "hear",
      callbackPlugin(
        `let left = 3000; const gone = () => { if (--left === 0) done("connected"); }; for (let i = 0; i < 3000; i++) { const s = net.connect(where); let told = false; const once = () => { if (!told) { told = true; gone(); } }; s.on("error", once).once("connect", once); }`,
      ),
      /^done: connected; few/,
    ],
    [
      "speaks garbage on the callback channel",
      "hear",
      callbackPlugin(
        `const s = net.connect(where, () => s.write(require("crypto").randomBytes(100000))); s.on("error", () => {}).resume().once("close", () => log(Buffer.alloc(0), (status) => done("then " + status)));`,
      ),
      /^done: then 0; few/,
    ],
    [
      "ends the broker's stream at once",
      "describe",
      rawPlugin(`if (method === "Describe") { ${producer}; return; }`, {
        onBroker: "stream.respond(head, { endStream: true });",
      }),
      /^described x/,
    ],
    [
      "resets the broker's stream",
      "describe",
      rawPlugin(`if (method === "Describe") { ${producer}; return; }`, { onBroker: "stream.close(8);" }),
      /^described x/,
    ],
    [
      "writes output faster than it is read",
      "invokeSlowly",
      on(
        "Invoke",
        `stream.respond(head); const data = Buffer.alloc(65536); const v = (n) => [(n & 127) | 128, ((n >> 7) & 127) | 128, n >> 14]; const field = (tag, body) => Buffer.concat([Buffer.from([tag, ...v(body.length)]), body]); const m = field(10, field(10, field(18, data))); const h = Buffer.alloc(5); h.writeUInt32BE(m.length, 1); const event = Buffer.concat([h, m]); const more = () => { while (stream.write(event)); stream.once("drain", more); }; more()`,
      ),
      /^read 20 events/,
    ],
    ["never answers Describe", "describeImpatiently", on("Describe", ""), /^timeout: no result within/],
    ["never answers GetSchema", "getSchemaImpatiently", on("GetSchema", ""), /^timeout: no result within/],
    ["never answers whether it has previews", "implementsPreview", on("Preview", ""), /^previews: false/],
    ["never answers Preview", "previewQuickly", on("Preview", ""), /^timeout: no result within/],
    [
      "never speaks HTTP/2",
      "describeImpatiently",
      framePlugin(""),
      /cannot launch .*no answer within 1500 ms/,
    ],
    [
      "names a category there is not",
      "configure",
      on(
        "Configure",
        `stream.respond({ ...head, "grpc-status": "3", "grpc-status-details-bin": Buffer.concat([Buffer.from([8, 3, 26, 63, 10, 57]), Buffer.from("type.googleapis.com/pluggableharness.tool.v1.ToolError".padEnd(57)), Buffer.from([18, 2, 8, 99])]).toString("base64") }, { endStream: true })`,
      ),
      /^(unknown|invalid_arguments): /,
    ],
    [
      "fails with a category there is not",
      "invoke",
      on("Invoke", "reply(frame(10, 4, 50, 2, 8, 99))"),
      /^unknown: /,
    ],
    [
      "sends an event of a kind there is not",
      "invoke",
      on("Invoke", "reply(frame(10, 3, 122, 1, 0), result)"),
      /^unknown: .*without content/,
    ],
    ...["127, 240", "127, 248", "255, 240"].map(
      (sign): Row => [
        `has a number that JSON lacks in its result: ${sign}`,
        "invoke",
        on(
          "Invoke",
          `reply(frame(10, 18, 42, 16, 10, 14, 10, 12, 10, 1, 110, 18, 9, 17, 0, 0, 0, 0, 0, 0, ${sign.split(", ").reverse().join(", ")}))`,
        ),
        /^(unknown: |read 1 events)/,
      ],
    ),
    [
      "has a value of no kind in its result",
      "invoke",
      on("Invoke", "reply(frame(10, 11, 42, 9, 10, 7, 10, 5, 10, 1, 110, 18, 0))"),
      /^(unknown: |read 1 events)/,
    ],
    [
      "has text that is no UTF-8 in its result",
      "invoke",
      on("Invoke", "reply(frame(10, 15, 42, 13, 10, 11, 10, 9, 10, 1, 110, 18, 4, 26, 2, 255, 254))"),
      /^(unknown: |read 1 events)/,
    ],
    ...["Describe", "GetSchema", "Configure", "Preview", "Render", "Invoke"].flatMap((method): Row[] => {
      const act = method.charAt(0).toLowerCase() + method.slice(1);
      const random = `require("crypto").randomBytes(100000)`;
      const keep = `let raw; server.on("connection", (socket) => { raw = socket; });`;
      return [
        [
          `answers ${method} with a message of random bytes`,
          act,
          on(method, `reply(Buffer.from([0, 0, 1, 0x86, 0xa0]), ${random})`),
          /^[a-z_]+: /,
        ],
        [
          `breaks its connection with garbage in ${method}`,
          act,
          on(method, `raw.write(${random})`, keep),
          /^[a-z_]+: /,
        ],
      ];
    }),
  ])("survives a plugin that %s", async (_name, act, plugin, words) => {
    expect((await meet(act, plugin)).seen).toMatch(words);
  });
});
