import { describe, expect, it } from "vitest";
import { LastLines, lastWords, MAX_LINE_CHARS, MAX_LINES } from "./last-lines.ts";

function linesOf(...messages: readonly string[]): readonly string[] {
  const last = new LastLines();
  for (const message of messages) last.push({ level: "debug", message, fields: {} });
  return last.lines;
}

describe("LastLines", () => {
  it("keeps the last of them, and of each no more than can be read", () => {
    const many = Array.from({ length: MAX_LINES + 5 }, (_, index) => `line ${index}`);
    expect(linesOf(...many)).toEqual(many.slice(5));
    expect(linesOf("x".repeat(100_000))[0]).toHaveLength(MAX_LINE_CHARS + 1);
  });

  it("keeps the fields of a record, and no empty lines", () => {
    const last = new LastLines();
    last.push({ level: "error", message: "failed", fields: { error: "gone", tries: 3, nothing: undefined } });
    last.push({ level: "debug", message: "  ", fields: {} });
    expect(last.lines).toEqual(["failed error=gone tries=3 nothing=undefined"]);
  });

  it("says nothing of a plugin that said nothing", () => {
    expect(lastWords([])).toBe("");
    expect(lastWords(["a"])).toBe("; its last line of stderr: a");
    expect(lastWords(["a", "b", "c", "d"], 2)).toBe("; its last lines of stderr: c ⏎ d");
  });
});
