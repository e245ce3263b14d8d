// Time and size (cases 58, C167 to C177): whatever a server does, a fetch ends, keeps little and leaves no connection.
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unmarked, WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

const MiB = 1024 * 1024;
let server: WebServer;
let bench: WebBench;

beforeAll(async () => {
  server = await WebServer.start();
  bench = await WebBench.open(config({}));
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(() => {
  server.requests.length = 0;
});

function config(more: object) {
  return {
    allowed_domains: ["127.0.0.1"],
    private_origins: [server.origin],
    max_response_bytes: MiB,
    timeout_ms: 1_000,
    cache_ttl_ms: 0,
    ...more,
  };
}

/** Writes the same bytes again and again, as fast as they are taken, until the connection is closed. */
function endless(response: ServerResponse, chunk: Uint8Array): void {
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}

/** Repeats an action until the connection is closed. */
function every(milliseconds: number, response: ServerResponse, act: () => void): void {
  const timer = setInterval(act, milliseconds);
  response.once("close", () => clearInterval(timer));
  response.socket?.once("close", () => clearInterval(timer));
}

const text = { "content-type": "text/plain" };

describe("a body that is too long", () => {
  it("is cut at the limit while it is read, and the connection closed [C169]", async () => {
    server.on("/endless", (_request, response) => {
      response.writeHead(200, text);
      endless(response, Buffer.alloc(64 * 1024, "x"));
    });
    const page = await bench.fetch({ url: `${server.origin}/endless`, max_chars: 10 });
    expect(page).toMatchObject({ bytes: MiB, truncated: true, total_chars: MiB, next_offset: 10 });
    expect(page.notes).toContain(`only the first ${MiB} bytes were read`);
    await server.allClosed();
  });

  it("is cut where it announces 5 GB, and says so [C173]", async () => {
    server.on("/huge", (_request, response) => {
      response.writeHead(200, { ...text, "content-length": "5000000000" });
      endless(response, Buffer.alloc(64 * 1024, "x"));
    });
    const page = await bench.fetch({ url: `${server.origin}/huge`, max_chars: 10 });
    expect(page.notes?.join()).toContain("the server announced 5000000000");
    await server.allClosed();
  });

  it("of many tiny chunks costs no more than its bytes", async () => {
    server.on("/dust", (_request, response) => {
      response.writeHead(200, text);
      for (let at = 0; at < 3_000; at++) response.write("x");
      response.end();
    });
    expect((await bench.fetch(`${server.origin}/dust`)).bytes).toBe(3_000);
  });
});

const encodings: readonly [string, (data: Uint8Array) => Buffer][] = [
  ["gzip", zlib.gzipSync],
  ["br", zlib.brotliCompressSync],
  ["deflate", zlib.deflateSync],
  ["zstd", zlib.zstdCompressSync],
];

describe.each(encodings)("%s", (name, compress) => {
  it("is decoded", async () => {
    const body = randomBytes(1_000).toString("hex");
    server.page("/packed", compress(Buffer.from(body)), { ...text, "content-encoding": name });
    expect(unmarked((await bench.fetch(`${server.origin}/packed`)).content)).toBe(body);
  });

  it("that is a bomb is refused by its ratio [58, C171]", async () => {
    await using wide = await WebBench.open(config({ max_response_bytes: 32 * MiB }));
    server.page("/bomb", compress(Buffer.alloc(16 * MiB)), { ...text, "content-encoding": name });
    expect(await wide.refusal(`${server.origin}/bomb`)).toMatchObject({
      category: "execution_failed",
      message: expect.stringMatching(/only a decompression bomb does/),
      details: { reason: "decompression_bomb" },
    });
  });

  it("that is damaged or ends early is an error that says so", async () => {
    const whole = compress(Buffer.from("word ".repeat(1_000)));
    server.page("/early", whole.subarray(0, whole.length - 9), { ...text, "content-encoding": name });
    server.page("/damaged", Buffer.from("no such thing"), { ...text, "content-encoding": name });
    for (const path of ["/early", "/damaged"]) {
      expect(await bench.refusal(server.origin + path)).toMatchObject({
        category: "execution_failed",
        message: expect.stringMatching(/damaged or ends early/),
      });
    }
  });
});

describe("codings one over the other", () => {
  it("are taken off, and a bomb in them is refused [58]", async () => {
    const twice = zlib.gzipSync(zlib.brotliCompressSync(Buffer.from("inside")));
    server.page("/twice", twice, { ...text, "content-encoding": "br, gzip" });
    expect(unmarked((await bench.fetch(`${server.origin}/twice`)).content)).toBe("inside");
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(64 * MiB)));
    server.page("/nested", bomb, { ...text, "content-encoding": "gzip, gzip" });
    await using wide = await WebBench.open(config({ max_response_bytes: 32 * MiB }));
    expect((await wide.refusal(`${server.origin}/nested`)).details).toMatchObject({
      reason: "decompression_bomb",
    });
  });

  it("are refused by name where they are not known, or too many", async () => {
    for (const coding of ["compress", "rot13", "gzip, gzip, gzip, gzip"]) {
      server.page("/odd", "x", { ...text, "content-encoding": coding });
      expect((await bench.refusal(`${server.origin}/odd`)).message).toContain(coding);
    }
  });
});

describe("a slow server", () => {
  it.each<[string, RegExp, (response: ServerResponse) => void]>([
    ["that never answers", /gave up after 500 ms while waiting for 127\.0\.0\.1:\d+ to answer/, () => {}],
    [
      "that drips its headers [C167]",
      /gave up after 500 ms while waiting/,
      (response) => {
        response.socket?.write("HTTP/1.1 200 OK\r\n");
        every(20, response, () => response.socket?.write("x-a: b\r\n"));
      },
    ],
    [
      "that drips its body, a byte at a time [58]",
      /gave up after 1000 ms while reading the body from .*, \d+ bytes so far/,
      (response) => {
        response.writeHead(200, text);
        every(20, response, () => response.write("x"));
      },
    ],
    [
      "that stops in the middle of a packed body",
      /gave up after 1000 ms while reading the body/,
      (response) => {
        response.writeHead(200, { ...text, "content-encoding": "gzip" });
        response.write(zlib.gzipSync(randomBytes(10_000)).subarray(0, 5_000));
      },
    ],
  ])("%s is cut at the deadline, and its connection closed", async (_name, words, answer) => {
    server.on("/slow", (_request, response) => answer(response));
    const { category, message, retryable } = await bench.refusal(`${server.origin}/slow`);
    expect([category, retryable, message]).toEqual(["timeout", true, expect.stringMatching(words)]);
    await server.allClosed();
  });

  it("with endless headers is refused by their size [58]", async () => {
    server.on("/headers", (_request, response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\n");
      every(1, response, () => response.socket?.write(`x-${"a".repeat(1_000)}: ${"b".repeat(4_000)}\r\n`));
    });
    expect((await bench.refusal(`${server.origin}/headers`)).message).toMatch(/larger headers than are read/);
    await server.allClosed();
  });

  it("says what it waits for once a second", async () => {
    await using patient = await WebBench.open(config({ timeout_ms: 10_000 }));
    server.on("/wait", (_request, response) => {
      response.writeHead(200, text);
      response.write("x");
      setTimeout(() => response.end(), 1_300);
    });
    await patient.fetch(`${server.origin}/wait`);
    expect(patient.events).toEqual([
      {
        type: "progress",
        message: expect.stringMatching(/^reading the body from 127\.0\.0\.1:\d+, 1 bytes so far$/),
      },
    ]);
  });
});

describe("a cancelled fetch closes its connection at once [C177]", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["before the headers", () => {}],
    [
      "in the body",
      (response) => {
        response.writeHead(200, text);
        response.write("x");
      },
    ],
    [
      "in a packed body",
      (response) => {
        response.writeHead(200, { ...text, "content-encoding": "br" });
        response.write(zlib.brotliCompressSync(randomBytes(10_000)).subarray(0, 100));
      },
    ],
  ])("%s", async (_name, answer) => {
    await using patient = await WebBench.open(config({ timeout_ms: 60_000 }));
    server.on("/cancelled", (_request, response) => answer(response));
    const abort = new AbortController();
    const outcome = patient
      .refusal(`${server.origin}/cancelled`, { signal: abort.signal })
      .catch((error: unknown) => error);
    await server.asked("/cancelled");
    abort.abort(new Error("enough"));
    expect(String(await outcome)).toContain("enough");
    await server.allClosed();
  });
});

describe("an answer that is no valid HTTP", () => {
  it.each<[string, string, RegExp]>([
    ["nonsense", "hello\r\n\r\n", /did not answer with valid HTTP|connection/],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde",
      /valid HTTP|connection/,
    ],
    [
      "a length that lies",
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 50\r\n\r\nabc",
      /connection|valid HTTP/,
    ],
    [
      "a bad chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc",
      /valid HTTP|connection/,
    ],
    ["nothing", "", /connection/],
  ])("%s", async (_name, bytes, words) => {
    server.on("/raw", (_request, response) => response.socket?.end(bytes));
    const { category, message } = await bench.refusal(`${server.origin}/raw`);
    expect([category, message]).toEqual(["execution_failed", expect.stringMatching(words)]);
  });
});
