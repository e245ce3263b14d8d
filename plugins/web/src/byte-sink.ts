// Collects the chunks of a body up to a limit in one block of memory. A block that has become too small or that is no
// longer needed is given back at once: left to the collector, the blocks of a few large bodies would add up.

// `transfer` is of ES2024, and in every Node on which undici runs:
/// <reference lib="es2024.arraybuffer" />

const FIRST_BYTES = 16 * 1024;

export class ByteSink implements Disposable {
  #block: ArrayBuffer;
  #length = 0;
  readonly #maxBytes: number;

  /** `expectedBytes` saves the growing where it is right; a lie costs nothing, since nobody writes to the memory. */
  constructor(maxBytes: number, expectedBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#block = new ArrayBuffer(Math.min(maxBytes, Math.max(FIRST_BYTES, expectedBytes)));
  }

  /** Adds what fits; false where something did not. */
  add(chunk: Uint8Array): boolean {
    const taken = Math.min(chunk.length, this.#maxBytes - this.#length);
    this.#reserve(this.#length + taken);
    new Uint8Array(this.#block).set(taken === chunk.length ? chunk : chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken === chunk.length;
  }

  get length(): number {
    return this.#length;
  }

  /** What was collected, without what was reserved. Valid until the sink is disposed, and nothing is added after. */
  bytes(): Buffer<ArrayBuffer> {
    if (this.#block.byteLength > this.#length) this.#block = this.#block.transfer(this.#length);
    return Buffer.from(this.#block);
  }

  /** Gives the memory back; what `bytes` returned is empty then. */
  [Symbol.dispose](): void {
    this.#block = this.#block.transfer(0);
  }

  #reserve(needed: number): void {
    if (needed <= this.#block.byteLength) return;
    const size = Math.min(this.#maxBytes, Math.max(this.#block.byteLength * 2, needed));
    this.#block = this.#block.transfer(size);
  }
}
