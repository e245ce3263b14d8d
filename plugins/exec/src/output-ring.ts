// The latest output of a session, read by cursors: a cursor is the number of bytes before it, counted from the start of
// the session. What was pushed out is counted, never passed over in silence.

/** What a cursor leads to. */
export interface RingPart {
  readonly bytes: Buffer;
  /** Bytes after the cursor that are not kept any more. */
  readonly skipped: number;
}

export class OutputRing {
  readonly #ring: Buffer;
  #total = 0;

  constructor(size: number) {
    this.#ring = Buffer.alloc(size);
  }

  /** The cursor at the end of all output so far. */
  get total(): number {
    return this.#total;
  }

  add(bytes: Uint8Array): void {
    const size = this.#ring.length;
    const last = bytes.subarray(Math.max(0, bytes.length - size));
    const start = (this.#total + bytes.length - last.length) % size;
    const first = last.subarray(0, size - start);
    this.#ring.set(first, start);
    this.#ring.set(last.subarray(first.length), 0);
    this.#total += bytes.length;
  }

  /** A copy of what is kept from `cursor` on, up to `limit` bytes. */
  from(cursor: number, limit = this.#ring.length): RingPart {
    const size = this.#ring.length;
    const oldest = Math.max(0, this.#total - size);
    const start = Math.min(Math.max(cursor, oldest), this.#total);
    const end = Math.min(start + limit, this.#total);
    const [at, to] = [start % size, end % size];
    const isWhole = end - start <= size - at;
    const bytes = isWhole
      ? Buffer.from(this.#ring.subarray(at, at + (end - start)))
      : Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, to)]);
    return { bytes, skipped: Math.max(0, start - cursor) };
  }
}
