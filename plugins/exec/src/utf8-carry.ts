// Characters that were cut in two. Bytes of one stream in, bytes out that end with a whole character: two streams can
// then be joined, and a text cut, without harm.

/** The length of the part of `bytes` before a character that is not complete yet. */
export function completeLength(bytes: Uint8Array): number {
  // A lead byte is one of the last three, or nothing is open.
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Holds back at most three bytes of a stream. */
export class Utf8Carry {
  #held = Buffer.alloc(0);

  /** What is complete with these bytes. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = completeLength(all);
    // Copied: three bytes must not keep a large buffer alive.
    this.#held = Buffer.from(all.subarray(end));
    return all.subarray(0, end);
  }

  /** What was held back, at the end of the stream. */
  rest(): Uint8Array {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }
}
