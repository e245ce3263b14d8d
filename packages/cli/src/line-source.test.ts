import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type Answered, openLines } from "./line-source.ts";

/** A source, what can be typed into it, and what it has shown. */
function source({ isTTY }: { readonly isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  return { input, lines: openLines({ input, output }), shown: () => shown };
}

const text = (answered: Answered): string => (answered.kind === "line" ? answered.text : answered.kind);

describe("lines of a pipe", () => {
  it("are taken in order, however they come, each beside its prompt", async () => {
    const { input, lines, shown } = source({ isTTY: false });
    input.write("one\ntw");
    expect(text(await lines.ask({ prompt: "1> " }))).toBe("one");
    const second = lines.ask({ prompt: "2> " });
    input.end("o\nthree");
    expect(text(await second)).toBe("two");
    expect(text(await lines.ask({ prompt: "3> " }))).toBe("three");
    expect(text(await lines.ask({ prompt: "4> " }))).toBe("end");
    expect(text(await lines.ask({ prompt: "5> " }))).toBe("end");
    expect(shown()).toBe("1> one\n2> two\n3> three\n4> \n5> \n");
  });

  it("are not read far ahead of the questions, and none is lost", async () => {
    const { input, lines } = source({ isTTY: false });
    const count = 5_000;
    let written = 0;
    const more = (): void => {
      while (written < count) if (!input.write(`${written++} ${"x".repeat(1_000)}\n`)) return;
      input.end();
    };
    input.on("drain", more);
    more();
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(count);
    for (let index = 0; index < count; index++)
      expect(text(await lines.ask({ prompt: "" })).split(" ")[0]).toBe(String(index));
    expect(text(await lines.ask({ prompt: "" }))).toBe("end");
  });

  it("can be interrupted while a question stands", async () => {
    const { input, lines } = source({ isTTY: false });
    lines.interrupt();
    const asked = lines.ask({ prompt: "> " });
    lines.interrupt();
    expect(await asked).toEqual({ kind: "interrupted", wasEmpty: true });
    input.write("after\n");
    expect(text(await lines.ask({ prompt: "> " }))).toBe("after");
    lines[Symbol.dispose]();
  });
});

describe("lines of a terminal", () => {
  it.each([
    ["a line", "abc\r", { kind: "line", text: "abc" }],
    ["Ctrl-C at nothing", "\u0003", { kind: "interrupted", wasEmpty: true }],
    ["Ctrl-C in a line", "abc\u0003", { kind: "interrupted", wasEmpty: false }],
    ["Ctrl-D", "\u0004", { kind: "end" }],
    ["the line before, by the arrow", "\u001b[A\r", { kind: "line", text: "before" }],
  ])("are edited: %s", async (_what, keys, answered) => {
    const { input, lines } = source({ isTTY: true });
    const asked = lines.ask({ prompt: "> ", history: ["before"], words: ["edit_file", "read_file"] });
    input.write(keys);
    expect(await asked).toEqual(answered);
    lines[Symbol.dispose]();
  });

  it("are completed", async () => {
    const { input, lines } = source({ isTTY: true });
    const asked = lines.ask({ prompt: "> ", words: ["edit_file", "read_file"] });
    // Key by key: in what is pasted a tab is a tab.
    for (const key of ["edit_", "\t", "\r"]) {
      input.write(key);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text(await asked)).toBe("edit_file");
  });

  it("are all there when several are pasted", async () => {
    const { input, lines } = source({ isTTY: true });
    const first = lines.ask({ prompt: "1> " });
    input.write("one\rtwo\rthr");
    expect(text(await first)).toBe("one");
    expect(text(await lines.ask({ prompt: "2> " }))).toBe("two");
    const third = lines.ask({ prompt: "3> " });
    input.write("ee\r");
    expect(text(await third)).toBe("three");
  });

  it("can be asked for again and again", async () => {
    const { input, lines } = source({ isTTY: true });
    for (const word of ["one", "two", "three"]) {
      const asked = lines.ask({ prompt: "> " });
      input.write(`${word}\r`);
      expect(text(await asked)).toBe(word);
    }
    const asked = lines.ask({ prompt: "> " });
    lines.interrupt();
    expect(text(await asked)).toBe("interrupted");
  });
});
