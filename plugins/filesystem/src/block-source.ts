// A file read from front to back in blocks, with what a page needs of all of it: the digest, and turns for others.
import type { Hash } from "node:crypto";
import { startDigest } from "./digest.ts";
import {
  BLOCK_BYTES,
  type NewlineCounter,
  releaseNewlineCounter,
  takeNewlineCounter,
} from "./newline-counter.ts";

/** Reads bytes at a position into a buffer; as `JailFile.read`. */
export type ReadAt = (into: Uint8Array, position: number) => number;

/** Blocks between two turns of the event loop: about 2 ms of reading. */
const BLOCKS_A_TURN = 8;

export interface BlockSourceOptions {
  /** Bytes of the file; what is written to it while it is read is not followed. */
  readonly sizeBytes: number;
  /** Digest the bytes on the way. */
  readonly withDigest: boolean;
  readonly signal: AbortSignal;
  /** Bytes of a block; smaller ones are for tests. */
  readonly blockBytes?: number;
}

/** A block of the file, valid until the next one is asked for. */
export interface Block {
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly position: number;
}

/** One pass over a file. Dispose it when done: it holds a block. */
export class BlockSource implements Disposable {
  readonly #read: ReadAt;
  readonly #options: BlockSourceOptions;
  readonly #counter: NewlineCounter;
  readonly #hash: Hash | undefined;
  #position = 0;
  #blocks = 0;

  constructor(read: ReadAt, options: BlockSourceOptions) {
    this.#read = read;
    this.#options = options;
    this.#counter = takeNewlineCounter();
    this.#hash = options.withDigest ? startDigest() : undefined;
  }

  /** The next block; undefined at the end. Throws the signal's reason. */
  async next(): Promise<Block | undefined> {
    const { sizeBytes, signal, blockBytes = BLOCK_BYTES } = this.#options;
    if (++this.#blocks % BLOCKS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const wanted = Math.min(blockBytes, sizeBytes - this.#position);
    const position = this.#position;
    const count = wanted === 0 ? 0 : this.#read(this.#counter.block.subarray(0, wanted), position);
    if (count === 0) return undefined;
    this.#position += count;
    const bytes = this.#counter.block.subarray(0, count);
    this.#hash?.update(bytes);
    return { bytes, position };
  }

  /** Line feeds in the current block, which must begin where it was read. */
  countLineFeeds({ bytes }: Block): number {
    return this.#counter.count(bytes.length);
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  [Symbol.dispose](): void {
    releaseNewlineCounter(this.#counter);
  }

  /** Of the bytes read; undefined where none was asked for. */
  digest(): string | undefined {
    return this.#hash?.digest("hex");
  }
}
