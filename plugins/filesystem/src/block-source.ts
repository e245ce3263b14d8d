// A file read from front to back in blocks, with what a page needs of all of it: the digest, and turns for others.
import type { Hash } from "node:crypto";
import { startDigest } from "./digest.ts";
import { BLOCK_BYTES, releaseNewlineCounter, takeNewlineCounter } from "./newline-counter.ts";

/** Reads bytes at a position into a buffer; as `JailFile.read`. */
export type ReadAt = (into: Uint8Array, position: number) => number;

export interface BlockSourceOptions {
  /** Bytes of the file; what is written to it while it is read is not followed. */
  readonly sizeBytes: number;
  /** Digest the bytes on the way. */
  readonly withDigest: boolean;
  readonly signal: AbortSignal;
  /** Bytes of a block; smaller ones are for tests. */
  readonly blockBytes?: number;
}

/** A block of the file. */
export interface Block {
  readonly bytes: Buffer;
  /** Of its first byte in the file. */
  readonly position: number;
  /** Line feeds in all of its bytes. */
  readonly countLineFeeds: () => number;
}

/** One pass over a file. */
export class BlockSource {
  readonly #read: ReadAt;
  readonly #options: BlockSourceOptions;
  readonly #hash: Hash | undefined;
  #position = 0;

  constructor(read: ReadAt, options: BlockSourceOptions) {
    this.#read = read;
    this.#options = options;
    this.#hash = options.withDigest ? startDigest() : undefined;
  }

  /**
   * Gives the next block to `use`; false at the end of the file. The block is valid only in `use`: its memory is
   * shared by all reads, however many there are. Throws the signal's reason.
   */
  async next(use: (block: Block) => void): Promise<boolean> {
    const { sizeBytes, signal, blockBytes = BLOCK_BYTES } = this.#options;
    if (this.#position > 0 && performance.now() >= sliceEndsAt) await nextTurn();
    signal.throwIfAborted();
    const wanted = Math.min(blockBytes, sizeBytes - this.#position);
    if (wanted === 0) return false;
    const counter = takeNewlineCounter();
    try {
      const position = this.#position;
      const count = this.#read(counter.block.subarray(0, wanted), position);
      if (count === 0) return false;
      this.#position += count;
      const bytes = counter.block.subarray(0, count);
      this.#hash?.update(bytes);
      use({ bytes, position, countLineFeeds: () => counter.count(count) });
      return true;
    } finally {
      releaseNewlineCounter(counter);
    }
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  /** Of the bytes read; undefined where none was asked for. */
  digest(): string | undefined {
    return this.#hash?.digest("hex");
  }
}

/** What large reads, all together, may take of a turn of the event loop before sockets and cancellations have theirs. */
const SLICE_MS = 4;
let sliceEndsAt = 0;
let turns: Promise<void> = Promise.resolve();

/**
 * Waits for a turn that no other large read has. They go one after the other: had each only waited for the next
 * turn, all would share it, and 200 reads would hold the process for seconds.
 */
function nextTurn(): Promise<void> {
  turns = turns
    .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
    .then(() => {
      sliceEndsAt = performance.now() + SLICE_MS;
    });
  return turns;
}
