// Whether a file is text, by its beginning: as the filesystem plugin tells it, so that what grep shows read_file reads.
import { Buffer } from "node:buffer";
import { type Jail, JailError, type PathRequest } from "@pluggableharness/jail";

const LOOKED_AT_BYTES = 8 * 1024;

/** `gone` where the jail finds no regular file there any more. */
export type ContentKind = "text" | "binary" | "gone";

/** Looks at a file that ripgrep found. */
export function contentKind(jail: Jail, request: PathRequest): ContentKind {
  try {
    using file = jail.openFile(request);
    const window = Buffer.allocUnsafe(LOOKED_AT_BYTES);
    return isText(window.subarray(0, file.read(window, 0))) ? "text" : "binary";
  } catch (error) {
    if (error instanceof JailError) return "gone";
    throw error;
  }
}

/** UTF-16 is full of zero bytes; its mark says what it is, and ripgrep decodes it. */
export function isText(beginning: Buffer): boolean {
  const mark = beginning.toString("latin1", 0, 2);
  return mark === "\xff\xfe" || mark === "\xfe\xff" || !beginning.includes(0);
}
