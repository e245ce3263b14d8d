// Collects the chunks of a body up to a limit, in one buffer that grows by doubling: a body of one-byte chunks costs
// no more memory than one of large chunks.

const FIRST_BYTES = 16 * 1024;

export class ByteSink {
  #buffer: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #length = 0;
  readonly #maxBytes: number;

  /** `expectedBytes` saves the growing where it is right, and costs nothing where it is not: pages that nobody writes to. */
  constructor(maxBytes: number, expectedBytes = 0) {
    this.#maxBytes = maxBytes;
    if (expectedBytes > 0) this.#reserve(Math.min(expectedBytes, maxBytes));
  }

  /** Adds what fits; false where something did not. */
  add(chunk: Uint8Array): boolean {
    const taken = Math.min(chunk.length, this.#maxBytes - this.#length);
    this.#reserve(this.#length + taken);
    this.#buffer.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken === chunk.length;
  }

  get length(): number {
    return this.#length;
  }

  /** What was collected, without what was reserved. */
  bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(needed: number): void {
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.from(
      new ArrayBuffer(Math.min(this.#maxBytes, Math.max(FIRST_BYTES, this.#buffer.length * 2, needed))),
    );
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
