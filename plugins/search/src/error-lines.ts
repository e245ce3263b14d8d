// ripgrep's stderr, line by line: its complaints, which are kept up to a bound, and in between the lines of --debug, of
// which only one kind matters, the names of the ignore files it opens.
import { Buffer } from "node:buffer";
import { decodeName } from "@pluggableharness/jail";
import { withoutDot } from "./path-list.ts";

/** More complaints than this are dropped. */
export const MAX_STDERR_BYTES = 64 * 1024;
/** A longer line is cut. */
const MAX_LINE_BYTES = 16 * 1024;

const DEBUG = Buffer.from("rg: DEBUG|");
const OPENED = "opened gitignore file: ";

/** Takes stderr in pieces of any size. */
export interface ErrorLines {
  push(piece: Buffer): void;
  /** The complaints, once everything has come. */
  complaints(): Buffer;
}

/** `onIgnoreFile` is told the path of each ignore file, from the searched directory. */
export function errorLines(onIgnoreFile: (path: string) => void): ErrorLines {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let rest: Buffer = Buffer.alloc(0);

  const take = (line: Buffer): void => {
    if (line.subarray(0, DEBUG.length).equals(DEBUG)) {
      const at = line.indexOf(OPENED);
      if (at >= 0) onIgnoreFile(withoutDot(decodeName(line.subarray(at + OPENED.length))));
    } else if (keptBytes < MAX_STDERR_BYTES) {
      kept.push(line, Buffer.from("\n"));
      keptBytes += line.length + 1;
    }
  };
  return {
    push(piece) {
      let from = 0;
      for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, from)) {
        const part = piece.subarray(from, end);
        take(rest.length === 0 ? part : Buffer.concat([rest, part]));
        rest = Buffer.alloc(0);
        from = end + 1;
      }
      rest = Buffer.concat([rest, piece.subarray(from)]).subarray(0, MAX_LINE_BYTES);
    },
    complaints() {
      if (rest.length > 0) take(rest);
      rest = Buffer.alloc(0);
      return Buffer.concat(kept);
    },
  };
}
