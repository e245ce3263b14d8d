// Reads a body while it comes, decompressed, up to a size; a decompression bomb is known by its ratio. Nothing more is
// read than what is kept (catalog.md, 'web').
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { isToolError, ToolError } from "@pluggableharness/protocol";
import { ByteSink } from "./byte-sink.ts";

/** gzip reaches 1032, text about 20; what is small is not judged. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;
/** Codings one over the other; more than one is rare, and each costs a decoder. */
const MAX_CODINGS = 3;

/** Dispose it when its text has been read: that gives its memory back. */
export interface Body extends Disposable {
  readonly bytes: Buffer<ArrayBuffer>;
  /** More was to come when the limit was reached. */
  readonly isCut: boolean;
}

export interface ReadBodyOptions {
  /** The content-encoding header. */
  readonly contentEncoding: string | undefined;
  readonly maxBytes: number;
  /** What the server announced, if it did. */
  readonly expectedBytes?: number | undefined;
  readonly signal: AbortSignal;
  /** Told the bytes collected so far. */
  readonly onProgress?: (bytes: number) => void;
}

const decoders: Readonly<Record<string, () => Transform & { readonly bytesWritten: number }>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  // Node 22.15 and newer.
  ...("createZstdDecompress" in zlib && { zstd: () => zlib.createZstdDecompress() }),
};

/** What is asked for: what this Node can decode. */
export const ACCEPT_ENCODING = ["gzip", "br", "zstd"].filter((name) => name in decoders).join(", ");

/** Reads to the end or to the limit; then the connection of `source` is closed. */
export async function readBody(source: Readable, options: ReadBodyOptions): Promise<Body> {
  const sink = new ByteSink(options.maxBytes, options.expectedBytes);
  const stages = codingsOf(options.contentEncoding).map((coding) => decoderFor(coding));
  const [outermost] = stages;
  const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<boolean> => {
    for await (const chunk of chunks) {
      if (!sink.add(chunk)) return true;
      if (outermost !== undefined) refuseBomb(sink.length, outermost.bytesWritten);
      options.onProgress?.(sink.length);
    }
    return false;
  };
  try {
    const isCut =
      outermost === undefined
        ? await collect(source)
        : await decoded(source, stages, collect, options.signal);
    return { bytes: sink.bytes(), isCut, [Symbol.dispose]: () => sink[Symbol.dispose]() };
  } catch (error) {
    sink[Symbol.dispose]();
    options.signal.throwIfAborted();
    throw error instanceof Error && /^(?:Z_|ERR_|ZSTD_|unexpected end)/.test(codeOf(error))
      ? damaged(error)
      : error;
  } finally {
    source.destroy();
    for (const stage of stages) stage.destroy();
  }
}

async function decoded(
  source: Readable,
  stages: readonly Transform[],
  collect: (chunks: AsyncIterable<Uint8Array>) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const last = stages.at(-1);
  if (last === undefined) return await collect(source);
  const flow = pipeline([source, ...stages], { signal });
  const [collected, flowed] = await Promise.allSettled([collect(last), flow]);
  if (collected.status === "rejected") {
    // A refusal of ours ends the flow; any other failure comes out of it, and `collect` saw only its end.
    throw flowed.status === "rejected" && !isToolError(collected.reason) ? flowed.reason : collected.reason;
  }
  // Cut: the end of collecting closed the last stage, and the flow failed of that.
  if (flowed.status === "rejected" && !collected.value) throw flowed.reason;
  return collected.value;
}

function refuseBomb(decodedBytes: number, encodedBytes: number): void {
  if (decodedBytes < RATIO_FROM_BYTES || decodedBytes <= encodedBytes * MAX_RATIO) return;
  throw new ToolError(
    "execution_failed",
    `the body was not read: ${encodedBytes} bytes of it unpack to more than ${decodedBytes}, as only a decompression bomb does`,
    { details: { reason: "decompression_bomb", encoded_bytes: encodedBytes, decoded_bytes: decodedBytes } },
  );
}

/** In the order in which they are taken off. */
function codingsOf(header: string | undefined): readonly string[] {
  const names = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const codings = names.filter((name) => name !== "" && name !== "identity").reverse();
  if (codings.length > MAX_CODINGS)
    throw unknownCoding(codings.length > 9 ? `${codings.length} codings` : codings.join(", "));
  return codings;
}

function decoderFor(coding: string): Transform & { readonly bytesWritten: number } {
  const make = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (make === undefined) throw unknownCoding(coding);
  return make();
}

function unknownCoding(coding: string): ToolError {
  return new ToolError(
    "execution_failed",
    `the body is packed in a way that was not asked for: ${coding.slice(0, 60).replace(/[^\w, -]/g, "?")}`,
    {
      details: { reason: "content_encoding" },
    },
  );
}

function damaged(error: Error): ToolError {
  return new ToolError("execution_failed", `the packed body is damaged or ends early: ${error.message}`, {
    details: { reason: "content_encoding" },
    cause: error,
  });
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.message;
}
