// The excerpt of a line that is too long to come from ripgrep: read from the file, around the match, in pieces.
import { Buffer, isUtf8 } from "node:buffer";
import type { JailFile } from "@pluggableharness/jail";
import type { Excerpt } from "./excerpt.ts";
import type { FoundLine } from "./search-event.ts";

const PIECE_BYTES = 256 * 1024;

/** Reads what is shown; the columns cost reading the line up to the match. */
export async function longLineExcerpt(
  file: JailFile,
  { offset, start, end }: FoundLine,
  maxColumns: number,
  signal: AbortSignal,
): Promise<Excerpt> {
  const match = offset + start;
  const from = Math.max(offset, match - 4 * maxColumns);
  const window = Buffer.alloc(match - from + 4 * maxColumns + 4);
  const bytes = window.subarray(0, file.read(window, from));
  const isText = isUtf8(trimmed(bytes));
  const decode = (part: Buffer): string =>
    isText ? trimmed(part).toString("utf8") : part.toString("latin1");

  const right = [...(decode(bytes.subarray(match - from)).split(/\r?\n/, 1)[0] ?? "")];
  const matched = Math.min(end - start, right.length);
  const left = [...decode(bytes.subarray(0, match - from))].slice(
    -Math.floor(Math.max(0, maxColumns - matched) / 2) || Infinity,
  );
  const shown = right.slice(0, maxColumns - left.length);
  const before = isText ? await countCharacters(file, offset, match, signal) : start;
  const length = isText ? await countCharacters(file, match, offset + end, signal) : end - start;
  return {
    text: [...left, ...shown].join(""),
    column: before + 1,
    end_column: before + length + 1,
    ...(before > left.length && { cut_before: before - left.length }),
    // How much follows is not known without reading it all; that something does is.
    cut_after: Math.max(1, right.length - shown.length),
    ...(!isText && { encoding: "latin-1" as const }),
  };
}

/** Without the parts of characters at both ends; as it is where it is no UTF-8 in between either. */
function trimmed(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from++;
  for (let cut = 0; cut <= 3; cut++) {
    const part = bytes.subarray(from, Math.max(from, bytes.length - cut));
    if (isUtf8(part)) return part;
  }
  return bytes;
}

async function countCharacters(
  file: JailFile,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<number> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let count = 0;
  for (let at = from; at < to; at += PIECE_BYTES) {
    signal.throwIfAborted();
    const bytes = piece.subarray(0, file.read(piece.subarray(0, Math.min(PIECE_BYTES, to - at)), at));
    for (const byte of bytes) if (!isContinuation(byte)) count++;
    // Lets cancellation and other calls in.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
