// The four encodings text files may have here, and the way from bytes to text and back (catalog.md,
// 'read_file'). Decoding shows what is invalid as U+FFFD; encoding refuses what would not come back.
import { ToolError } from "@pluggableharness/protocol";

/** `latin1` is ISO-8859-1, the declared fallback: every byte is a character, so nothing is ever lost. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

/** How the text of a file is stored. */
export interface TextContent {
  readonly kind: "text";
  readonly encoding: TextEncoding;
  /** The file begins with a byte order mark, which is not part of its text. */
  readonly hasBom: boolean;
}

const boms: readonly (readonly [encoding: TextEncoding, bytes: Buffer])[] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];

/** The encoding that a byte order mark at the start of `head` declares. */
export function encodingOfBom(head: Buffer): TextEncoding | undefined {
  return boms.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes))?.[0];
}

/** The byte order mark that the file begins with; empty where it has none. */
export function bomOf({ encoding, hasBom }: TextContent): Buffer {
  return (hasBom && boms.find(([name]) => name === encoding)?.[1]) || Buffer.alloc(0);
}

/** Bytes of one code unit. */
export function unitBytes(encoding: TextEncoding): 1 | 2 {
  return encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
}

/** The text of bytes without byte order mark; invalid sequences become U+FFFD. */
export function decodeText(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === "utf-8") return bytes.toString("utf8");
  if (encoding === "latin1") return bytes.toString("latin1");
  // An odd byte at the end is no character; toString("utf16le") leaves it out, this shows that it is there.
  const whole = bytes.subarray(0, bytes.length & ~1);
  const text = encoding === "utf-16le" ? whole.toString("utf16le") : swapped(whole).toString("utf16le");
  return text.toWellFormed() + (bytes.length > whole.length ? "\ufffd" : "");
}

/**
 * The bytes of a text, without byte order mark. `field` names the argument the text came in.
 * @throws ToolError `invalid_arguments` for half of a surrogate pair, and for a character that the encoding has not.
 */
export function encodeText(text: string, encoding: TextEncoding, field: string): Buffer {
  refuseLoneSurrogates(text, field);
  const character = firstUnencodable(text, encoding);
  if (character !== undefined) {
    throw new ToolError(
      "invalid_arguments",
      `${field} holds ${character}, which ${encoding}, the encoding of the file, cannot hold; use characters up to U+00FF`,
      { details: { character, encoding } },
    );
  }
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16le" ? bytes : swapped(bytes);
}

/**
 * Refuses text that no encoding can hold.
 * @throws ToolError `invalid_arguments` for half of a surrogate pair.
 */
export function refuseLoneSurrogates(text: string, field: string): void {
  if (text.isWellFormed()) return;
  const offset = text.search(/\p{Surrogate}/u);
  const name = codePointName(text.codePointAt(offset) ?? 0);
  throw new ToolError(
    "invalid_arguments",
    `${field} holds half of a surrogate pair (${name}) at character ${offset + 1}; give the whole character`,
  );
}

/** The first character that the encoding has not, as \`€\` (U+20AC). Only Latin-1 lacks any. */
export function firstUnencodable(text: string, encoding: TextEncoding): string | undefined {
  if (encoding !== "latin1") return undefined;
  const character = /[^\u0000-\u00ff]/u.exec(text)?.[0];
  return character && `\`${character}\` (${codePointName(character.codePointAt(0) ?? 0)})`;
}

/** The usual name of a code point, as `U+20AC`. */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A copy with the two bytes of each unit exchanged. */
function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}
