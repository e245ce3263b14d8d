// The few DER encodings a self-signed certificate needs (X.690). Pure.

/** One value: tag, definite length, content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const digits: number[] = [];
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
export const set = (...content: readonly Uint8Array[]): Buffer => der(0x31, ...content);
export const octetString = (content: Uint8Array): Buffer => der(0x04, content);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));

/** A context-specific value, `[number]`; constructed where it holds other values. */
export const tagged = (
  number: number,
  content: Uint8Array,
  { constructed }: { constructed: boolean },
): Buffer => der((constructed ? 0xa0 : 0x80) | number, content);

/** A positive whole number from its big-endian bytes. */
export function positiveInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  // A leading bit of 1 would read as negative.
  return (digits[0] ?? 0) >= 0x80 ? der(0x02, Buffer.from([0]), digits) : der(0x02, digits);
}

/** Whole bytes, no unused bits. */
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer =>
  der(0x03, Buffer.from([unusedBits]), content);

/** An object identifier such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift(0x80 | (rest % 128));
  return digits;
}

/** A point in time to the second: UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
