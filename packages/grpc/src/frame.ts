// The length-prefixed messages inside a gRPC stream: one flag byte, four length bytes, the message.
import { Code } from "./code.ts";
import { GrpcError } from "./grpc-error.ts";

const HEADER_BYTES = 5;
/** A peer may send a byte at a time: chunks are joined when there are many, in blocks of about this size. */
const MAX_CHUNKS = 256;
const BLOCK_BYTES = 64 * 1024;

/**
 * Nested messages that are decoded. A JSON value costs three a level, and models send deep ones; Go's own limit is
 * 10,000. Far below what a call stack holds.
 */
export const RECURSION_LIMIT = 3_000;

/** The five bytes that announce a message of `length` bytes, not compressed. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header[0] = 0;
  header.writeUInt32BE(length, 1);
  return header;
}

/**
 * Cuts a byte stream into messages, whatever the chunk borders. Holds what has arrived of one message and
 * never allocates by an announced length; a message over `maxBytes` throws RESOURCE_EXHAUSTED as soon as its
 * header is seen.
 */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #compressedCode: Code;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #needed: number | undefined;

  /** `compressedCode` is what a compressed message, which is never asked for, means to this side. */
  constructor(maxBytes: number, compressedCode: Code = Code.UNIMPLEMENTED) {
    this.#maxBytes = maxBytes;
    this.#compressedCode = compressedCode;
  }

  /** Takes the next chunk and returns the messages that are complete with it. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#chunks.length > MAX_CHUNKS) this.#joinSmallChunks();
    const messages: Buffer[] = [];
    for (;;) {
      this.#needed ??= this.#readHeader();
      if (this.#needed === undefined || this.#buffered < this.#needed) return messages;
      messages.push(this.#take(this.#needed));
      this.#needed = undefined;
    }
  }

  /** Throws where the stream ended inside a message. */
  end(): void {
    if (this.#buffered > 0 || this.#needed !== undefined) {
      throw new GrpcError(Code.INTERNAL, "the stream ended inside a message");
    }
  }

  #readHeader(): number | undefined {
    if (this.#buffered < HEADER_BYTES) return undefined;
    const header = this.#take(HEADER_BYTES);
    if (header[0] !== 0) {
      throw new GrpcError(this.#compressedCode, "compressed messages are not supported; send identity");
    }
    const length = header.readUInt32BE(1);
    if (length > this.#maxBytes) {
      throw new GrpcError(
        Code.RESOURCE_EXHAUSTED,
        `a message of ${length} bytes is larger than the limit of ${this.#maxBytes}`,
      );
    }
    return length;
  }

  /** Joins the small chunks at the end: each byte is copied a few times, and what held it is freed. */
  #joinSmallChunks(): void {
    const lastLarge = this.#chunks.findLastIndex(({ length }) => length >= BLOCK_BYTES);
    const small = this.#chunks.splice(lastLarge + 1);
    if (small.length > 0) this.#chunks.push(Buffer.concat(small));
  }

  #take(count: number): Buffer {
    const first = this.#chunks[0];
    this.#buffered -= count;
    if (first !== undefined && first.length >= count) {
      if (first.length === count) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    // Joined once per message, so a message in many chunks costs one copy and not one per chunk.
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = joined.length > count ? [joined.subarray(count)] : [];
    return joined.subarray(0, count);
  }
}
