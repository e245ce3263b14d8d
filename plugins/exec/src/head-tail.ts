// The beginning and the end of a stream of bytes, in bounded memory, with the number of bytes between.

const FIRST_BYTES = 16 * 1024;

/** Keeps up to `limit` bytes at either end. */
export class HeadTail {
  readonly #limit: number;
  #head = Buffer.alloc(0);
  #headBytes = 0;
  #ring = Buffer.alloc(0);
  /** Bytes ever put into the ring. */
  #ringTotal = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes ever added. */
  get total(): number {
    return this.#headBytes + this.#ringTotal;
  }

  add(bytes: Uint8Array): void {
    const forHead = bytes.subarray(0, this.#limit - this.#headBytes);
    if (forHead.length > 0) {
      this.#head = grown(this.#head, this.#headBytes + forHead.length, this.#limit);
      this.#head.set(forHead, this.#headBytes);
      this.#headBytes += forHead.length;
    }
    this.#addToRing(bytes.subarray(forHead.length));
  }

  /** `omitted` bytes lie between; where it is 0, `head` and `tail` are one text. */
  take(): { readonly head: Buffer; readonly tail: Buffer; readonly omitted: number } {
    const head = this.#head.subarray(0, this.#headBytes);
    const kept = Math.min(this.#ringTotal, this.#ring.length);
    const at = this.#ringTotal % Math.max(1, this.#ring.length);
    const tail =
      this.#ringTotal <= this.#ring.length
        ? this.#ring.subarray(0, kept)
        : Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
    return { head, tail, omitted: this.#ringTotal - kept };
  }

  #addToRing(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // It grows only while it has never wrapped around.
    this.#ring = grown(this.#ring, this.#ringTotal + bytes.length, this.#limit);
    const size = this.#ring.length;
    const last = bytes.subarray(Math.max(0, bytes.length - size));
    const start = (this.#ringTotal + bytes.length - last.length) % size;
    const first = last.subarray(0, size - start);
    this.#ring.set(first, start);
    this.#ring.set(last.subarray(first.length), 0);
    this.#ringTotal += bytes.length;
  }
}

/** A buffer of at least `bytes` with the same beginning, but of no more than `limit`: little output costs little. */
function grown(buffer: Buffer<ArrayBuffer>, bytes: number, limit: number): Buffer<ArrayBuffer> {
  if (buffer.length >= bytes || buffer.length === limit) return buffer;
  let size = Math.max(FIRST_BYTES, buffer.length);
  while (size < bytes) size *= 2;
  const larger = Buffer.alloc(Math.min(size, limit));
  larger.set(buffer);
  return larger;
}
