// A file without a name: another process writes it, and this one reads it when that is done. Nothing of it is left.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PIECE_BYTES = 64 * 1024;

/** An open file that no path leads to any more; disposing frees it. */
export class UnnamedFile implements Disposable {
  readonly descriptor: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "search-"));
    try {
      this.descriptor = openSync(join(folder, "f"), "wx+", 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** What was written, in pieces. */
  *pieces(): Generator<Buffer> {
    for (let at = 0; ; ) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const count = readSync(this.descriptor, piece, 0, PIECE_BYTES, at);
      if (count === 0) return;
      at += count;
      yield piece.subarray(0, count);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}
