// From bytes to text (cases 59 and 62, C179 to C187): charsets and kinds of content.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdf } from "./testing/pdf.ts";
import { type Page, unmarked, WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

let server: WebServer;
let bench: WebBench;

beforeAll(async () => {
  server = await WebServer.start();
  bench = await WebBench.open({ allowed_domains: ["*"], private_origins: [server.origin], cache_ttl_ms: 0 });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function read(body: string | Uint8Array, type: string | undefined, more: object = {}): Promise<Page> {
  server.page("/page", body, type === undefined ? {} : { "content-type": type });
  return await bench.fetch({ url: `${server.origin}/page`, ...more });
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("the charset", () => {
  const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b]); // 日本
  it.each<[string, Uint8Array | string, string | undefined, string]>([
    [
      "of the header goes before that of meta [59]",
      latin1('<meta charset="utf-8"><p>caf\xe9</p>'),
      "text/html; charset=ISO-8859-1",
      "café",
    ],
    [
      "of meta counts where the header has none",
      latin1('<meta charset="iso-8859-1"><p>caf\xe9</p>'),
      "text/html",
      "café",
    ],
    [
      "of meta counts after 900 bytes and more [C179]",
      Buffer.concat([
        latin1(
          `<!--${"x".repeat(1_900)}--><meta http-equiv="content-type" content="text/html; charset=shift_jis"><p>`,
        ),
        shiftJis,
      ]),
      "text/html",
      "日本",
    ],
    [
      "of a byte order mark goes before all",
      Buffer.concat([Buffer.from("\ufeff<p>café</p>")]),
      "text/html; charset=iso-8859-1",
      "café",
    ],
    ["UTF-16 with a mark", Buffer.from("\ufeff<p>café</p>", "utf16le"), "text/html", "café"],
    [
      "UTF-16 without one [59]",
      Buffer.from("<p>plain words of a page</p>", "utf16le"),
      "text/html",
      "plain words of a page",
    ],
    ["UTF-8 where nothing says anything", "<p>café</p>", "text/html", "café"],
    ["an alias [C181]", "<p>café</p>", 'text/html; charset="utf8"', "café"],
    [
      "in capitals, quoted and with spaces",
      latin1("<p>caf\xe9</p>"),
      'Text/HTML ; Charset = "Windows-1252"',
      "café",
    ],
    ["of plain text", shiftJis, "text/plain; charset=Shift_JIS", "日本"],
  ])("%s", async (_name, body, type, text) => {
    expect(unmarked((await read(body, type)).content)).toBe(text);
  });

  it("that is not known falls back and says so, and so do bytes that are no text [C181]", async () => {
    const unknown = await read("<p>café</p>", "text/html; charset=none");
    expect(unmarked(unknown.content)).toBe("café");
    expect(unknown.notes?.join()).toContain('the charset "none" is not known; read as utf-8');
    expect((await read(latin1("caf\xe9"), "text/plain")).notes?.join()).toContain(
      "no utf-8 and are shown as \ufffd",
    );
  });
});

describe("the kind of content", () => {
  const text = "line <x> one\n\n\n  two  \n</p>\ttab & &amp;\n";
  it.each(["text/plain", "text/markdown", "text/csv", "text/x-rust", "application/x-thing"])(
    "%s is passed as it is, byte for byte [C183]",
    async (type) => {
      expect(unmarked((await read(text, type)).content)).toBe(text.replace(/\n$/, "\n"));
    },
  );

  it("XML is passed without its entities expanded [C185]", async () => {
    const bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss>&b;</rss>';
    for (const type of ["application/rss+xml", "text/xml", "application/xml"]) {
      expect(unmarked((await read(bomb, type)).content)).toBe(bomb);
    }
  });

  it("JSON is indented where it is small, with all its digits, doubles and order", async () => {
    const small = '{"b":12345678901234567890,"a":[1.0,{}, []],"b":"x: {,}"}';
    expect(unmarked((await read(small, "application/json")).content)).toBe(
      '{\n  "b": 12345678901234567890,\n  "a": [\n    1.0,\n    {},\n    []\n  ],\n  "b": "x: {,}"\n}',
    );
    const large = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at));
    expect(unmarked((await read(large, "application/json", { max_chars: 200_000 })).content)).toBe(large);
    expect(unmarked((await read("{broken", "application/json")).content)).toBe("{broken");
    expect(unmarked((await read('{"a":1}', "application/json", { format: "raw" })).content)).toBe('{"a":1}');
  });

  it("text/html that is really JSON is JSON, and without a type the content decides [62]", async () => {
    expect(unmarked((await read('{"a":1}', "text/html")).content)).toBe('{\n  "a": 1\n}');
    expect(unmarked((await read("<!doctype html><p>Hello</p>", undefined)).content)).toBe("Hello");
    expect(unmarked((await read("just words", undefined)).content)).toBe("just words");
    expect(unmarked((await read("[1] <b>not</b> JSON", "text/html")).content)).toBe("\\[1\\] **not** JSON");
    expect(unmarked((await read("<h1>The mark %PDF-1.4</h1>", "text/html")).content)).toBe(
      "# The mark %PDF-1.4",
    );
    expect(unmarked((await read("<p>Hello</p>", "not a type")).content)).toBe("<p>Hello</p>");
  });

  it.each<[string, Uint8Array, string | undefined]>([
    ["image/png", Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), "image/png"],
    ["application/zip", Buffer.from("PK\x03\x04\0\0\0", "latin1"), "application/zip"],
    ["application/octet-stream", Buffer.from([0, 1, 2, 3]), "application/octet-stream"],
    ["text/html", Buffer.from("<p>\0\x01\x02</p>", "latin1"), "text/html"],
    ["an unknown type", Buffer.from([0, 1, 2, 3]), undefined],
  ])("%s that is no text is refused with its type and size [62]", async (name, body, type) => {
    server.page("/binary", body, {
      ...(type !== undefined && { "content-type": type }),
      "content-length": String(body.length),
    });
    const { category, message } = await bench.refusal(`${server.origin}/binary`);
    expect([category, message]).toEqual([
      "execution_failed",
      expect.stringContaining(
        `it is ${name === "an unknown type" ? "of an unknown type" : name}, ${body.length} bytes`,
      ),
    ]);
  });

  it.each(["application/pdf", "application/octet-stream", "text/html"])(
    "a PDF under %s gives its pages [62, C187]",
    async (type) => {
      const page = await read(pdf(["Hello first page", "Second page"]), type);
      expect(unmarked(page.content)).toBe("[page 1 of 2]\nHello first page\n\n[page 2 of 2]\nSecond page");
    },
  );

  it("a damaged PDF is refused in words", async () => {
    expect(
      await bench.refusal(
        await (async () => {
          server.page("/broken", "%PDF-1.4\nnothing of it", { "content-type": "application/pdf" });
          return `${server.origin}/broken`;
        })(),
      ),
    ).toMatchObject({
      category: "execution_failed",
      message: expect.stringMatching(/the pdf is damaged, or not read/),
    });
  });
});
