// Zero bytes in files. ripgrep takes each for an end of line unless it is told that the file is text, which costs it
// as much memory as the longest line has bytes, and a file of zeros is one line.
import { Buffer } from "node:buffer";
import { type Jail, JailError, type JailFile, type PathRequest } from "@pluggableharness/jail";

const BEGINNING_BYTES = 8 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Larger files are never searched as text with zeros in it. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** `gone` where the jail finds no regular file there any more. */
export type ContentKind = "text" | "binary" | "gone";

/** What a file is by its beginning: as the filesystem plugin tells it, so that what grep shows read_file reads. */
export function contentKind(jail: Jail, request: PathRequest): ContentKind {
  try {
    using file = jail.openFile(request);
    return beginsAsText(file) ? "text" : "binary";
  } catch (error) {
    if (error instanceof JailError) return "gone";
    throw error;
  }
}

/** UTF-16 is full of zero bytes; its mark says what it is, and ripgrep decodes it. */
export function beginsAsText(file: JailFile): boolean {
  const window = Buffer.allocUnsafe(BEGINNING_BYTES);
  const beginning = window.subarray(0, file.read(window, 0));
  const mark = beginning.toString("latin1", 0, 2);
  return mark === "\xff\xfe" || mark === "\xfe\xff" || !beginning.includes(0);
}

/** The flag for a file whose beginning is text. */
export function zerosFlag({ stat }: JailFile): string {
  return stat.sizeBytes <= MAX_TEXT_BYTES ? "--text" : "--binary";
}

/** Whether a file holds a zero byte anywhere. */
export async function hasZeros(file: JailFile, signal: AbortSignal): Promise<boolean> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ; at += PIECE_BYTES) {
    signal.throwIfAborted();
    const length = file.read(piece, at);
    if (piece.subarray(0, length).includes(0)) return true;
    if (length < PIECE_BYTES) return false;
    // Lets cancellation and other calls in.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
