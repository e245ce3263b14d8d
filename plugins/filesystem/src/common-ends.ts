// How far two contents are the same from their beginning and from their end, compared natively block by block.

/** Bytes compared at once before the place of the difference is looked for byte by byte. */
const BLOCK = 16 * 1024;

/** Equal bytes at the start, and equal bytes at the end that are not among those. */
export function commonEnds(a: Buffer, b: Buffer): { readonly start: number; readonly tail: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start + BLOCK <= shorter && a.compare(b, start, start + BLOCK, start, start + BLOCK) === 0)
    start += BLOCK;
  while (start < shorter && a[start] === b[start]) start++;
  const limit = shorter - start;
  const isSame = (from: number, to: number): boolean =>
    a.compare(b, b.length - to, b.length - from, a.length - to, a.length - from) === 0;
  let tail = 0;
  while (tail + BLOCK <= limit && isSame(tail, tail + BLOCK)) tail += BLOCK;
  while (tail < limit && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { start, tail };
}
