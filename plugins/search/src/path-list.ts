// Paths as ripgrep prints them, each ended by a NUL and, when it counts, followed by a number and a line feed, in
// pieces of any size. A name is bytes: what is not UTF-8 becomes the jail's text for it, which leads back to the
// same bytes.
import { Buffer, isUtf8 } from "node:buffer";
import { decodeName } from "@pluggableharness/jail";

/** A path longer than this cannot be one. */
export const MAX_PATH_BYTES = 64 * 1024;

/** The items that end in each piece of output; the rest waits for the next one, or for `undefined`, the end. */
export type ItemSplitter<T> = (piece: Buffer | undefined) => readonly T[];

/** A file and its number of matching lines. */
export interface CountedPath {
  readonly path: string;
  readonly count: number;
}

/** For `--null`: paths without their leading `./`. */
export function pathSplitter(): ItemSplitter<string> {
  // Every path begins with `./`, and no name holds a NUL: cutting at both at once is exact, and twice as fast.
  const split = fieldSplitter((text) => text.slice(2).split("\0./"));
  return (piece) => (piece === undefined ? [] : split(piece));
}

/** For `--count --null`. A name may hold line feeds, so only the end of line after the number counts. */
export function countSplitter(): ItemSplitter<CountedPath> {
  const split = fieldSplitter((text) => text.split("\0"));
  let path: string | undefined;
  return (piece) => {
    // The last number ends with a line feed and no NUL.
    const fields = piece === undefined ? split(Buffer.of(0)) : split(piece);
    const items: CountedPath[] = [];
    for (const field of fields) {
      const [head = "", number = ""] = /^(\d+)\r?\n/.exec(field) ?? [];
      if (path !== undefined) items.push({ path, count: Number(number) });
      path = withoutDot(field.slice(path === undefined ? 0 : head.length));
    }
    return items;
  };
}

function fieldSplitter(fieldsOf: (text: string) => readonly string[]): (piece: Buffer) => readonly string[] {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    const end = piece.lastIndexOf(0);
    if (end < 0) {
      rest = Buffer.concat([rest, piece]);
      if (rest.length > MAX_PATH_BYTES) throw new Error("ripgrep printed a path that is too long to be one");
      return [];
    }
    const whole = rest.length === 0 ? piece.subarray(0, end) : Buffer.concat([rest, piece.subarray(0, end)]);
    // A copy: a slice would keep the whole piece alive.
    rest = Buffer.from(piece.subarray(end + 1));
    // Decoded bytes that are no UTF-8 are single code units, so the same cut is right for them.
    return fieldsOf(isUtf8(whole) ? whole.toString("utf8") : decodeName(whole));
  };
}

/** The path that ripgrep was given is `./`, so that no name can be taken for an option. */
export function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
