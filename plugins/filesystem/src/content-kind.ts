// Text or binary, decided by content and never by name. In order: byte order mark, NUL bytes in the first
// 8 KiB (UTF-16 without a mark or binary), valid UTF-8, else Latin-1 where it looks like text.
import { isUtf8 } from "node:buffer";
import { byteText, type EolStyle } from "./byte-text.ts";
import { sniffMediaType } from "./media-type.ts";
import { bomOf, decodeText, encodingOfBom, type TextContent, type TextEncoding } from "./text-encoding.ts";

/** A file that is not text. */
export interface BinaryContent {
  readonly kind: "binary";
  readonly mediaType: string;
}

/** How the text of a file is stored, and how its lines end. */
export interface DescribedText extends TextContent {
  readonly eol: EolStyle;
  /** The given bytes end with a newline. */
  readonly finalNewline: boolean;
}

/** NUL and control bytes are looked for in this much of a file. */
const SAMPLE_BYTES = 8_192;

/** More control characters than this and bytes that happen to be valid UTF-8 are not text. */
const MAX_CONTROL_SHARE = 0.3;

/** The same for bytes that are text only by the Latin-1 fallback, which fits any bytes. */
const MAX_CONTROL_SHARE_LATIN1 = 0.05;

/**
 * What `head`, the beginning of a file, holds. `isWhole` says that it is all of the file; a sample of a larger
 * file may end within a character. 64 KiB decide well.
 */
export function detectContent(head: Buffer, { isWhole }: { isWhole: boolean }): TextContent | BinaryContent {
  const binary = (mediaType = sniffMediaType(head)): BinaryContent => ({ kind: "binary", mediaType });
  // The UTF-32 mark begins with that of UTF-16; taken for UTF-16 it would show a NUL after every character.
  if (head.toString("latin1", 0, 4) === "\xff\xfe\0\0") return binary("text/plain; charset=utf-32le");
  const declared = encodingOfBom(head);
  if (declared !== undefined) return { kind: "text", encoding: declared, hasBom: true };

  const text = (encoding: TextEncoding): TextContent => ({ kind: "text", encoding, hasBom: false });
  const sample = head.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) {
    const encoding = utf16WithoutBom(sample, isWhole && sample.length === head.length);
    return encoding === undefined ? binary() : text(encoding);
  }
  // A PDF may begin with many lines of plain text before its first binary stream.
  if (head.toString("latin1", 0, 5) === "%PDF-") return binary();
  const controls = controlShare(sample);
  if (isUtf8(isWhole ? head : withoutCutCharacter(head))) {
    return controls > MAX_CONTROL_SHARE ? binary() : text("utf-8");
  }
  return controls > MAX_CONTROL_SHARE_LATIN1 ? binary() : text("latin1");
}

/**
 * {@link detectContent}, with the line endings of the given bytes: those of the file where it is whole, of the
 * sample where it is not.
 */
export function describeContent(head: Buffer, size: { isWhole: boolean }): DescribedText | BinaryContent {
  const content = detectContent(head, size);
  if (content.kind === "binary") return content;
  const text = byteText(head.subarray(bomOf(content).length), content.encoding);
  return {
    ...content,
    eol: text.eol(),
    finalNewline: text.length > 0 && text.lineStart(text.length) === text.length,
  };
}

/** The share of control characters that text has no use for: all but \b \t \n \v \f \r and escape. */
function controlShare(sample: Buffer): number {
  let controls = 0;
  for (const byte of sample) {
    if (byte < 0x08 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) controls++;
  }
  return controls / Math.max(1, sample.length);
}

/** Drops the first bytes of a UTF-8 character whose end was cut off. */
function withoutCutCharacter(head: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0;
    if (byte >= 0xc0) return head.subarray(0, head.length - back);
    if (byte < 0x80) break;
  }
  return head;
}

/**
 * UTF-16 that does not say so: NUL bytes on one side of the units only, in at least half of them, and nothing
 * but clean text in between. Tables of small numbers have control characters there and stay binary.
 */
function utf16WithoutBom(sample: Buffer, isWhole: boolean): TextEncoding | undefined {
  const units = sample.length >> 1;
  if (units < 4 || (isWhole && sample.length % 2 !== 0)) return undefined;
  const nulsAt = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) nulsAt[index % 2] = (nulsAt[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulsAt;
  if ((even > 0 && odd > 0) || Math.max(even, odd) * 2 < units) return undefined;
  const encoding = even > 0 ? "utf-16be" : "utf-16le";
  // The last pair of units may be cut off, which shows as U+FFFD.
  const text = decodeText(sample.subarray(0, units * 2), encoding).replace(/\ufffd$/, "");
  return /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd-\uffff]/.test(text) ? undefined : encoding;
}
