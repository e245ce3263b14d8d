// Identifiers that sort by when they were made: 48 bits of milliseconds and 80 random ones in Crockford's base 32
// (the ULID form). Of one millisecond the next is the one before plus one, so that order holds there too.
import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const RANDOM_BITS = 80n;

export interface UlidSource {
  readonly now: () => number;
  /** Ten bytes. */
  readonly random: () => Uint8Array;
}

const system: UlidSource = { now: Date.now, random: () => randomBytes(10) };

/** A maker of identifiers, each greater than the one before, also where the clock goes back. */
export function createUlids({ now, random }: UlidSource = system): () => string {
  let lastMs = -1;
  let tail = 0n;
  return () => {
    const nowMs = now();
    const isNew = nowMs > lastMs;
    if (isNew) lastMs = nowMs;
    tail = isNew ? BigInt(`0x${Buffer.from(random()).toString("hex")}`) : tail + 1n;
    if (tail >> RANDOM_BITS !== 0n) {
      // All of this millisecond are given out; the next one is borrowed.
      lastMs++;
      tail = 0n;
    }
    return encode(BigInt(lastMs), TIME_CHARS) + encode(tail, RANDOM_CHARS);
  };
}

function encode(value: bigint, chars: number): string {
  let text = "";
  for (let left = value; text.length < chars; left >>= 5n) text = ALPHABET.charAt(Number(left & 31n)) + text;
  return text;
}
