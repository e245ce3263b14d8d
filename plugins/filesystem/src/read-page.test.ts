import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPage } from "./page-format.ts";
import { type PageRequest, readPage } from "./read-page.ts";
import { bomOf, encodeText, type TextContent } from "./text-encoding.ts";

const utf8: TextContent = { kind: "text", encoding: "utf-8", hasBom: false };
const everything: PageRequest = {
  offset: 1,
  column: 1,
  limit: 1_000,
  maxBytes: 1_000_000,
  maxLineCharacters: 2_000,
};
const idle = new AbortController().signal;

function page(
  bytes: Buffer,
  content: TextContent,
  request: Partial<PageRequest> = {},
  blockBytes = 64,
  maxWholeBytes = 1e9,
) {
  const read = (into: Uint8Array, position: number) => bytes.copy(into, 0, position, position + into.length);
  const options = { sizeBytes: bytes.length, maxWholeBytes, signal: idle, blockBytes };
  return readPage(read, content, { ...everything, ...request }, options);
}

const stored = (text: string, content: TextContent) =>
  Buffer.concat([bomOf(content), encodeText(text, content.encoding, "text")]);

/** The rule in its simplest form: split at LF, drop the CR before it, and the empty rest after the last LF. */
function naiveLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => line.replace(/\r$/, "")), ...(last === "" ? [] : [last])];
}

describe("readPage", () => {
  const contents: TextContent[] = [
    utf8,
    { kind: "text", encoding: "utf-8", hasBom: true },
    { kind: "text", encoding: "utf-16le", hasBom: true },
    { kind: "text", encoding: "utf-16be", hasBom: false },
    { kind: "text", encoding: "latin1", hasBom: false },
  ];
  const texts = fc.array(fc.constantFrom("a", "é", "ÿ", "\n", "\r\n", "\r", "xy", "\n\n"), { maxLength: 60 });
  const wideTexts = fc.array(
    fc.constantFrom("a", "あ", "😀", "\n", "\r\n", "\r", "\u0a0a", "\u0a00", "\ufeff"),
    {
      maxLength: 60,
    },
  );

  it("gives what splitting the whole text gives, at every block border", async () => {
    const cases = fc.constantFrom(...contents).chain((content) =>
      fc.record({
        content: fc.constant(content),
        text: (content.encoding === "latin1" ? texts : wideTexts).map((parts) => parts.join("")),
        blockBytes: fc.constantFrom(4, 6, 8, 16, 64),
        offset: fc.integer({ min: 1, max: 12 }),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ content, text, blockBytes, offset, limit }) => {
        const bytes = stored(text, content);
        const lines = naiveLines(text);
        const got = await page(bytes, content, { offset, limit }, blockBytes);
        expect(got.pieces.map((piece) => piece.text)).toEqual(lines.slice(offset - 1, offset - 1 + limit));
        expect(got.pieces.map(({ line }) => line)).toEqual(got.pieces.map((_, index) => offset + index));
        expect(got.totalLines).toBe(lines.length);
        expect(got.nextOffset).toBe(offset - 1 + limit < lines.length ? offset + limit : undefined);
        expect(got.finalNewline).toBe(text.endsWith("\n"));
        expect(got.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
      { numRuns: 500 },
    );
  });

  it("reaches the end of any line by its columns, losing and repeating nothing [12]", async () => {
    const line = fc.array(fc.constantFrom("a", "あ", "😀", "\r"), { minLength: 1, maxLength: 80 });
    const window = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(line, window, fc.boolean(), async (characters, maxLineCharacters, crlf) => {
        const text = characters.join("");
        const bytes = Buffer.from(`first\n${text}${crlf ? "\r\n" : "\n"}last`);
        let seen = "";
        let column = 1;
        for (let reads = 0; ; reads++) {
          expect(reads).toBeLessThan(100);
          const { pieces } = await page(bytes, utf8, { offset: 2, limit: 1, column, maxLineCharacters }, 8);
          const [piece] = pieces;
          seen += piece?.text ?? "";
          expect([...(piece?.text ?? "")].length).toBeLessThanOrEqual(maxLineCharacters);
          column += [...(piece?.text ?? "")].length;
          if (piece === undefined || piece.charactersLeft === 0) break;
          expect(piece.charactersLeft).toBeLessThanOrEqual([...text].length + 1 - (column - 1));
        }
        expect(seen).toBe(crlf ? text : text.replace(/\r$/, ""));
      }),
    );
  });

  it.each([
    ["ten lines and a final newline [RD01]", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", { limit: 5 }, 5, 10, 6],
    ["a lone CR is no line ending [RD21]", "a\rb\nc\n", {}, 2, 2, undefined],
    ["an empty file [27]", "", {}, 0, 0, undefined],
    ["one newline [27]", "\n", {}, 1, 1, undefined],
    ["only white space [27]", "  \n\t", {}, 2, 2, undefined],
    ["a page beyond the end [14 RD03]", "a\nb\n", { offset: 500 }, 0, 2, undefined],
    ["a page that is full by its bytes", "aaaa\nbbbb\ncccc\n", { maxBytes: 10 }, 2, 3, 3],
    ["a first line that is larger than the page", "aaaa\nbbbb\n", { maxBytes: 3 }, 1, 2, 2],
  ])("counts lines right: %s", async (_name, text, request, shown, totalLines, nextOffset) => {
    const got = await page(Buffer.from(text), utf8, request);
    expect([got.pieces.length, got.totalLines, got.nextOffset]).toEqual([shown, totalLines, nextOffset]);
  });

  it("does not split a character at a block's border [RD11] or at a cut [RD07]", async () => {
    const border = Buffer.from(`${"a".repeat(1_023)}あ\nnext`);
    expect((await page(border, utf8, { limit: 1 }, 1_024)).pieces[0]?.text).toBe(`${"a".repeat(1_023)}あ`);
    const cut = Buffer.from(`${"a".repeat(1_999)}😀tail\n`);
    expect((await page(cut, utf8)).pieces[0]).toMatchObject({
      text: `${"a".repeat(1_999)}😀`,
      charactersLeft: 4,
    });
  });

  it("keeps the lines in place around bytes that are no UTF-8", async () => {
    const { pieces } = await page(Buffer.from("a\xff\n\xc3\nb\n", "latin1"), utf8);
    expect(pieces.map(({ text }) => text)).toEqual(["a\ufffd", "\ufffd", "b"]);
  });

  it.each([
    ["behind a character that ends like a line feed begins", "6100 0a00 420a 00", ["a", "\u0a42\ufffd"]],
    ["without any line feed", "6100 6200 63", ["ab\ufffd"]],
    ["behind a line feed", "6100 0a00 0a", ["a", "\ufffd"]],
  ])("counts lines right where UTF-16 ends with half a unit, %s", async (_name, hex, lines) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    const content: TextContent = { kind: "text", encoding: "utf-16le", hasBom: false };
    for (const blockBytes of [4, 6, 64]) {
      const got = await page(bytes, content, {}, blockBytes);
      expect(got.pieces.map(({ text }) => text)).toEqual(lines);
      const counted = await page(bytes, content, { offset: 99 }, blockBytes);
      for (const each of [got, counted]) {
        expect(each).toMatchObject({ totalLines: lines.length, finalNewline: false });
      }
    }
  });

  it("stops behind the page in a file that is too large to be read whole", async () => {
    const bytes = Buffer.from("line\n".repeat(10_000));
    const got = await page(bytes, utf8, { offset: 3, limit: 2 }, 64, 100);
    expect(got).toMatchObject({ totalLines: undefined, nextOffset: 5, sha256: undefined });
    expect(got.finalNewline).toBeUndefined();
    const tail = await page(bytes, utf8, { offset: 9_999, limit: 5 }, 64, 100);
    expect(tail).toMatchObject({ totalLines: 10_000, nextOffset: undefined });
    expect(tail.pieces).toHaveLength(2);
  });

  it("ends where a file that shrank ends, and does not follow one that grows", async () => {
    const bytes = Buffer.from("a\nb\n");
    const read = (into: Uint8Array, position: number) =>
      bytes.copy(into, 0, position, position + into.length);
    const longer = { sizeBytes: 100, maxWholeBytes: 1_000, signal: idle };
    expect(await readPage(read, utf8, everything, longer)).toMatchObject({ totalLines: 2 });
    expect(await readPage(read, utf8, everything, { ...longer, sizeBytes: 2 })).toMatchObject({
      totalLines: 1,
    });
  });

  it("takes turns with other reads and with everything else", async () => {
    let blocksInTurn = 0;
    let most = 0;
    let running = true;
    const everythingElse = () => {
      blocksInTurn = 0;
      if (running) setImmediate(everythingElse);
    };
    setImmediate(everythingElse);
    const texts = Array.from({ length: 12 }, (_, index) => `${index}\n`.repeat(60));
    const pages = await Promise.all(
      texts.map((text) => {
        const bytes = Buffer.from(text);
        const read = (into: Uint8Array, position: number) => {
          // Longer than all reads together may hold a turn; only the first block of a read does not wait for one.
          for (const until = performance.now() + 5; performance.now() < until; );
          if (position > 0) most = Math.max(most, ++blocksInTurn);
          return bytes.copy(into, 0, position, position + into.length);
        };
        const options = { sizeBytes: bytes.length, maxWholeBytes: 0, signal: idle, blockBytes: 64 };
        return readPage(read, utf8, everything, options);
      }),
    );
    running = false;
    expect(pages.map(({ pieces }) => pieces.map((piece) => `${piece.text}\n`).join(""))).toEqual(texts);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  it("stops when it is aborted", async () => {
    const abort = new AbortController();
    let blocks = 0;
    const read = (into: Uint8Array) => {
      if (++blocks === 20) abort.abort(new Error("enough"));
      return into.length;
    };
    const options = {
      sizeBytes: Number.MAX_SAFE_INTEGER,
      maxWholeBytes: 0,
      signal: abort.signal,
      blockBytes: 64,
    };
    await expect(readPage(read, utf8, { ...everything, offset: 1e9 }, options)).rejects.toThrow("enough");
    expect(blocks).toBe(20);
  });
});

describe("formatPage", () => {
  it("numbers the lines and tells a note from a line", () => {
    const pieces = [
      { line: 7, column: 2_001, text: "→ text", charactersLeft: 0 },
      { line: 8, column: 1, text: "xx", charactersLeft: 298_000 },
      { line: 9, column: 1, text: "", charactersLeft: 0 },
    ];
    expect(formatPage(pieces)).toBe(
      "     7→→ text\n      ⋯ line 7: 2000 characters before this\n     8→xx\n      ⋯ line 8: 298000 more characters; go on with offset 8, column 3\n     9→",
    );
    expect(formatPage([])).toBe("");
  });
});
