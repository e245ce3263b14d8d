// A regular file of the jail, open for reading. Its kind is known before it is opened, and the opened
// file is the one that was looked at: a FIFO or a device is never opened, so reading never waits.
import { Buffer } from "node:buffer";
import { closeSync, fstatSync, readSync } from "node:fs";
import type { FileStat } from "./file-stat.ts";
import { fileStat, kindOf } from "./file-stat.ts";
import { closedError, fromSystemError, JailError, notRegularError, quoted } from "./jail-error.ts";
import type { JailPath, Place } from "./place.ts";

/** Dispose it when done: it owns a descriptor. */
export class JailFile {
  readonly path: JailPath;
  /** As it was when it was opened; its `version` is what `replaceFile` takes. */
  readonly stat: FileStat;
  #descriptor: number;

  constructor(path: JailPath, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.stat = fileStat(fstatSync(descriptor, { bigint: true }));
  }

  /** For reading only and owned by this object: never close it. Throws `closed` after disposal. */
  get descriptor(): number {
    if (this.#descriptor < 0) throw closedError("file");
    return this.#descriptor;
  }

  /** Fills `into` from byte `position`; returns how many bytes, fewer only at the end of the file. */
  read(into: Uint8Array, position: number): number {
    let filled = 0;
    try {
      while (filled < into.length) {
        const count = readSync(this.descriptor, into, filled, into.length - filled, position + filled);
        if (count === 0) break;
        filled += count;
      }
    } catch (error) {
      throw fromSystemError(error, this.path.requested);
    }
    return filled;
  }

  /** The whole content. Throws `too_large` beyond `maxBytes`, also where the file grows while it is read. */
  readAll(maxBytes: number): Buffer {
    const tooLarge = (sizeBytes: number): JailError =>
      new JailError(
        { code: "too_large", sizeBytes, maxBytes },
        `${quoted(this.path.requested)} has ${sizeBytes} bytes; at most ${maxBytes} are read as a whole.`,
      );
    if (this.stat.sizeBytes > maxBytes) throw tooLarge(this.stat.sizeBytes);
    const content = Buffer.allocUnsafe(this.stat.sizeBytes);
    const chunks = [content.subarray(0, this.read(content, 0))];
    let total = chunks[0]?.length ?? 0;
    // Files of /proc say 0 bytes and have more; a log may grow. The size is only a guess.
    for (const more = Buffer.allocUnsafe(64 * 1024); ; ) {
      const count = total < this.stat.sizeBytes ? 0 : this.read(more, total);
      if (count === 0) return chunks.length === 1 ? (chunks[0] ?? content) : Buffer.concat(chunks);
      total += count;
      if (total > maxBytes) throw tooLarge(total);
      chunks.push(Buffer.from(more.subarray(0, count)));
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** Throws `is_a_directory` or `not_a_regular_file` for anything but a regular file. */
export function openRegularFile(place: Place): JailFile {
  const target = place.existing();
  const requested = place.path.requested;
  if (target.kind === "directory") throw notRegularError(requested, "directory");
  const kind = kindOf(target.held.stats);
  if (kind !== "file") throw notRegularError(requested, kind);
  const descriptor = target.held.openForReading();
  try {
    return new JailFile(place.path, descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
