// A host survives plugins that lie in good frames: messages that do not decode, and trees and schemas without measure.
import { afterAll, describe, expect, it } from "vitest";
import { stopAll } from "../../plugin/e2e/plugin-under-test.ts";
import { meet, TIME_MS } from "./meet-host.ts";
import { rawPlugin } from "./scripted-plugin.ts";

afterAll(stopAll);

const on = (method: string, source: string): string =>
  rawPlugin(`if (method === "${method}") { ${source}; return; }`);

describe("a host", { timeout: TIME_MS + 5_000 }, () => {
  describe("survives lies:", () => {
    it.concurrent.each([
      ["an undecodable Describe", "describe", on("Describe", "reply(frame(10, 200, 1))"), /unknown/],
      ["a Describe without a producer", "describe", on("Describe", "reply(frame())"), /without a producer/],
      [
        "a status without a number",
        "describe",
        on("Describe", `stream.respond({ ...head, "grpc-status": "many" }, { endStream: true })`),
        /unknown/,
      ],
      [
        "a status that does not exist",
        "configure",
        on("Configure", `stream.respond({ ...head, "grpc-status": "99" }, { endStream: true })`),
        /unknown/,
      ],
      [
        "details that do not decode",
        "configure",
        on(
          "Configure",
          `stream.respond({ ...head, "grpc-status": "3", "grpc-status-details-bin": "%%%%" }, { endStream: true })`,
        ),
        /invalid_arguments/,
      ],
      [
        "details that hold no message",
        "configure",
        on(
          "Configure",
          `stream.respond({ ...head, "grpc-status": "3", "grpc-status-details-bin": Buffer.from([26, 4, 10, 2, 120, 255]).toString("base64") }, { endStream: true })`,
        ),
        /invalid_arguments/,
      ],
      [
        "a compressed message",
        "describe",
        on("Describe", "reply(Buffer.from([1, 0, 0, 0, 1, 0]))"),
        /unknown/,
      ],
      [
        "a million operations",
        "getSchema",
        on(
          "GetSchema",
          `const one = Buffer.from([10, 3, 10, 1, 120]); const all = Buffer.alloc(one.length * 1000000); for (let i = 0; i < 1000000; i++) one.copy(all, i * one.length); const h = Buffer.alloc(5); h.writeUInt32BE(all.length, 1); reply(Buffer.concat([h, all]))`,
        ),
        /larger than the limit of 4194304/,
      ],
      [
        "a schema nested 10,000 levels deep",
        "getSchema",
        on("GetSchema", `${nested([10], [42], 10_000)}; reply(message)`),
        /unknown|has 1/,
      ],
      [
        "a tree nested 10,000 levels deep",
        "preview",
        on("Preview", `${nested([10], [58, 10], 10_000)}; reply(message)`),
        /unknown|within bounds/,
      ],
      ["a tree of 200,000 nodes", "preview", on("Preview", wideTree(200_000)), /within bounds/],
      [
        "text that is no UTF-8",
        "describe",
        on("Describe", "reply(frame(10, 4, 10, 2, 255, 254))"),
        /unknown|described/,
      ],
    ])("%s", async (_name, act, plugin, words) => {
      expect((await meet(act, plugin)).seen).toMatch(words);
    });
  });
});

/** Source for `message`: fields in each other, `levels` deep, by the tags around them. */
function nested(outer: readonly number[], level: readonly number[], levels: number): string {
  return `
    const v = (n) => { const out = []; for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128); out.push(n); return Buffer.from(out); };
    const heads = []; let size = 0;
    const wrap = (tag) => { const head = Buffer.concat([Buffer.from([tag]), v(size)]); heads.push(head); size += head.length; };
    for (let i = 0; i < ${levels}; i++) for (const tag of ${JSON.stringify([...level].reverse())}) wrap(tag);
    for (const tag of ${JSON.stringify([...outer].reverse())}) wrap(tag);
    const m = Buffer.concat(heads.reverse());
    const h = Buffer.alloc(5); h.writeUInt32BE(m.length, 1); const message = Buffer.concat([h, m])`;
}

/** Source that answers with a tree whose root has that many children of text. */
function wideTree(nodes: number): string {
  return `
    const v = (n) => { const out = []; for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128); out.push(n); return Buffer.from(out); };
    const f = (tag, body) => Buffer.concat([Buffer.from([tag]), v(body.length), body]);
    const child = f(10, f(10, f(10, Buffer.from("some text"))));
    const children = Buffer.concat(Array.from({ length: ${nodes} }, () => child));
    const m = f(10, f(10, f(58, children)));
    const h = Buffer.alloc(5); h.writeUInt32BE(m.length, 1); reply(Buffer.concat([h, m]))`;
}
