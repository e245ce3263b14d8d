// Bytes to text: byte order mark, then header, then meta, then UTF-8 (catalog.md, 'web_fetch'; the order of the WHATWG).

import { TextDecoder } from "node:util";
import sniffEncoding from "html-encoding-sniffer";
import { utf16WithoutMark } from "./media-kind.ts";

/** Pages in the wild declare their charset later than the 1,024 bytes of the standard. */
const PRESCAN_BYTES = 4_096;

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** What a reader should know: a charset that is not known, or bytes that are no text. */
  readonly note: string | undefined;
}

/** Decodes a body; `charset` is the header's. Never throws. */
export function decodeText(
  bytes: Uint8Array,
  charset: string | undefined,
  { isHtml = false } = {},
): DecodedText {
  const isKnown = charset === undefined || decoderFor(charset) !== undefined;
  const sniffed = sniffEncoding(bytes, {
    ...(charset !== undefined && isKnown && { transportLayerEncodingLabel: charset }),
    defaultEncoding: utf16WithoutMark(bytes) ?? "utf-8",
    maxPrescanBytes: isHtml ? PRESCAN_BYTES : 0,
  });
  const decoder = decoderFor(sniffed) ?? new TextDecoder();
  const text = decoder.decode(bytes);
  const notes = [
    ...(isKnown ? [] : [`the charset ${JSON.stringify(charset)} is not known; read as ${decoder.encoding}`]),
    ...(hasUndecoded(text) ? [`some bytes are no ${decoder.encoding} and are shown as \ufffd`] : []),
  ];
  return { text, encoding: decoder.encoding, note: notes.length === 0 ? undefined : notes.join("; ") };
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // a RangeError: no such encoding
  }
}

function hasUndecoded(text: string): boolean {
  return text.includes("\ufffd");
}
