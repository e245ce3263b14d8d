// Whether a file still holds what was read of it. A version cannot tell for certain: a file system notes times in
// steps of some milliseconds, and gives the number of a removed file to the next one.
import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readSync } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
const BLOCK_BYTES = 1024 * 1024;

/** Compares the regular file under `name` with `content`, block by block. */
export function holdsContent(directory: DirectoryHandle, name: string, content: Uint8Array): boolean {
  const fd = openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    // One byte more than is expected, so that a file that has grown shows.
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, content.length + 1));
    for (let at = 0; ; ) {
      const count = readSync(fd, block, 0, block.length, at);
      if (count === 0) return at === content.length;
      if (at + count > content.length) return false;
      if (block.compare(content, at, at + count, 0, count) !== 0) return false;
      at += count;
    }
  } finally {
    closeSync(fd);
  }
}
