// Paths as ripgrep prints them, each ended by a NUL, in pieces of any size. A name is bytes: what is not UTF-8
// becomes the jail's text for it, which leads back to the same bytes.
import { Buffer, isUtf8 } from "node:buffer";
import { decodeName } from "@pluggableharness/jail";

/** Turns pieces of output into paths without their leading `./`. A path longer than this cannot be one. */
export const MAX_PATH_BYTES = 64 * 1024;

/** The paths that end in each piece; the rest waits for the next one. */
export function pathSplitter(): (piece: Buffer) => readonly string[] {
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
    return isUtf8(whole) ? whole.toString("utf8").split("\0").map(withoutDot) : splitBytes(whole);
  };
}

function splitBytes(bytes: Buffer): string[] {
  const paths: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const at = bytes.indexOf(0, from);
    const end = at < 0 ? bytes.length : at;
    paths.push(withoutDot(decodeName(bytes.subarray(from, end))));
    from = end + 1;
  }
  return paths;
}

/** The path that ripgrep was given is `./`, so that no name can be taken for an option. */
export function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
