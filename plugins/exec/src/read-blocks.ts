// Reads a pipe or terminal into large blocks, one read behind the other: neighbours can be joined without a copy, and
// a gigabyte costs no garbage but its blocks.

import { bufferUsed } from "./buffer-garbage.ts";

const BLOCK_BYTES = 256 * 1024;
/** Most commands say little: blocks grow with what comes. */
const FIRST_BLOCK_BYTES = 8 * 1024;
/** A read that gets less room than this is not worth its call. */
const LEAST_ROOM = 4 * 1024;

/** What `onread` of a socket takes. */
export interface OnRead {
  readonly buffer: () => Uint8Array;
  readonly callback: (bytes: number, buffer: Uint8Array) => boolean;
}

/** Hands each piece over once; a piece is never written again. */
export function readBlocks(data: (bytes: Uint8Array) => void): OnRead {
  let block = Buffer.alloc(0);
  let used = 0;
  return {
    buffer: () => {
      if (block.length - used < LEAST_ROOM) {
        block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, 4 * block.length)));
        bufferUsed(block.length);
        used = 0;
      }
      return block.subarray(used);
    },
    callback: (bytes, buffer) => {
      used += bytes;
      data(buffer.subarray(0, bytes));
      return true;
    },
  };
}
