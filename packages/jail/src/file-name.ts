// File names as text. A name on disk is bytes and need not be UTF-8: a byte that is none becomes the
// lone surrogate U+DC80 to U+DCFF (Python's "surrogateescape"), which no valid text holds, so the way
// back is exact.
import { Buffer, isUtf8 } from "node:buffer";

/** The text for a name read from disk. */
export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = validSequence(bytes, at);
    text +=
      length === 0
        ? String.fromCharCode(0xdc00 + bytes.readUInt8(at))
        : bytes.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return text;
}

/** What to hand to the system for a path or name: the text itself wherever that is exact. */
export function encodeName(text: string): string | Buffer {
  if (text.isWellFormed()) return text;
  const parts: Buffer[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    parts.push(isEscapedByte(character) ? Buffer.of(code - 0xdc00) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/**
 * True where `text` is what decodeName makes of some bytes. Without this test two escaped bytes that
 * together are valid UTF-8 would be a second spelling of a name, which no hide rule would know.
 */
export function isCanonicalName(text: string): boolean {
  const encoded = encodeName(text);
  return typeof encoded === "string" || decodeName(encoded) === text;
}

/**
 * A name or path that can be shown: control and bidirectional characters and bytes that are not UTF-8
 * become escapes, a backslash is doubled. Different names stay different.
 */
export function printableName(text: string): string {
  return text.replace(/[\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    if (character === "\\") return "\\\\";
    const code = character.codePointAt(0) ?? 0;
    if (isEscapedByte(character)) return `\\x${(code - 0xdc00).toString(16)}`;
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

function isEscapedByte(character: string): boolean {
  const code = character.charCodeAt(0);
  return character.length === 1 && code >= 0xdc80 && code <= 0xdcff;
}

/** Length of the UTF-8 sequence that begins at `at`, or 0 where none does. */
function validSequence(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
