// The pure parts that keep and cut output.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMiddle } from "./cut-text.ts";
import { HeadTail } from "./head-tail.ts";
import { keySequence } from "./keys.ts";
import { OutputRing } from "./output-ring.ts";
import { wholeLength } from "./session-output.ts";
import { shownText } from "./shown-text.ts";
import { timeLimit } from "./time-limit.ts";
import { Utf8Carry } from "./utf8-carry.ts";

const chunks = fc.array(fc.uint8Array({ maxLength: 60_000 }), { maxLength: 12 });

it("HeadTail keeps both ends of anything, and counts the rest", () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 40_000 }), (parts, limit) => {
      const kept = new HeadTail(limit);
      for (const part of parts) kept.add(part);
      const all = Buffer.concat(parts);
      const { head, tail, omitted } = kept.take();
      expect(head.equals(all.subarray(0, limit))).toBe(true);
      expect(tail.equals(all.subarray(Math.max(head.length, all.length - limit)))).toBe(true);
      expect(head.length + omitted + tail.length).toBe(all.length);
    }),
    { numRuns: 60 },
  );
});

it("OutputRing gives what follows a cursor, and counts what is gone", () => {
  fc.assert(
    fc.property(chunks, fc.nat(200_000), fc.integer({ min: 1, max: 50_000 }), (parts, cursor, size) => {
      const ring = new OutputRing(size);
      for (const part of parts) ring.add(part);
      const all = Buffer.concat(parts);
      const start = Math.min(Math.max(cursor, all.length - size, 0), all.length);
      const part = ring.from(cursor);
      expect(part.bytes.equals(all.subarray(start))).toBe(true);
      expect(part.skipped).toBe(Math.max(0, start - cursor));
    }),
    { numRuns: 60 },
  );
});

it("Utf8Carry passes all bytes on and never half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 5 }), (text, step) => {
      const bytes = Buffer.from(text);
      const carry = new Utf8Carry();
      let joined = "";
      for (let at = 0; at < bytes.length; at += step)
        joined += Buffer.from(carry.push(bytes.subarray(at, at + step))).toString();
      expect(joined + Buffer.from(carry.rest()).toString()).toBe(bytes.toString());
    }),
  );
});

it("cutMiddle shows no more than it may, both ends, and counts the middle", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 4_000 }),
      fc.integer({ min: 64, max: 2_000 }),
      (text, max) => {
        const cut = cutMiddle({ head: text, tail: "", omittedBytes: 0 }, max, "");
        expect(cut.truncated).toBe(Buffer.byteLength(text) > max);
        if (!cut.truncated) {
          expect(cut.text).toBe(text);
          return;
        }
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(max + 100);
        expect(cut.text).not.toContain("\ufffd");
        expect(cut.omittedBytes).toBeGreaterThan(0);
      },
    ),
  );
});

describe("shownText", () => {
  it.each([
    ["plain lines", "a\n\tb\n", "a\n\tb"],
    ["a long line that wraps, as one", `\x1b[0m${"x".repeat(50)}\r\ny`, `${"x".repeat(50)}\ny`],
    [
      "ten thousand lines with an escape",
      `\x1b[0m${"l\r\n".repeat(10_000)}end`,
      `${"l\n".repeat(10_000)}end`,
    ],
    ["backspaces", "abd\bc", "abc"],
    ["an erased line", "old\r\x1b[Knew", "new"],
  ])("shows %s", async (_name, bytes, text) => {
    expect(await shownText(Buffer.from(bytes), { columns: 20, rows: 5 }, false)).toBe(text);
  });
});

it.each([
  ["\x1b[3", 0],
  ["a\x1b", 1],
  ["a\x1b]0;t", 1],
  ["a\x1b[31m", 6],
  ["done", 4],
])("an unfinished escape waits: %j", (text, length) => {
  expect(wholeLength(Buffer.from(text))).toBe(length);
});

it.each([
  ["Enter", "\r"],
  ["ctrl-c", "\x03"],
  ["ctrl_d", "\x04"],
  ["alt_x", "\x1bx"],
  ["f13", undefined],
  ["constructor", undefined],
])("the key %s", (name, sequence) => {
  expect(keySequence(name)).toBe(sequence);
});

it.each([
  [undefined, undefined, 120_000],
  [5_000, undefined, 5_000],
  [undefined, 11_000, 7_250],
  [undefined, 2_000, 120_000],
  [100, 11_000, 100],
])("a limit of %s under a deadline at %s leaves time for the last word", (asked, deadline, limit) => {
  expect(timeLimit(asked, deadline, 2_000, 1_000)).toBe(limit);
});
