// What a body is, by its first bytes where those are sure, else by its content-type (catalog.md, 'web_fetch'). Pure.
import { parse } from "content-type";

export type MediaKind = "html" | "json" | "text" | "pdf" | "binary";

export interface MediaType {
  /** `type/subtype` in lower case; empty where the header is missing or no valid one. */
  readonly essence: string;
  readonly charset: string | undefined;
}

/** Reads a content-type header. */
export function parseMediaType(header: string | undefined): MediaType {
  // The parser reads on past what no header may hold, such as a missing subtype.
  const { type, parameters } = parse((header ?? "").slice(0, 1_000));
  const essence = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/.test(type) ? type.toLowerCase() : "";
  // Shown where it is not known, so it must not be a place for words.
  const charset = parameters["charset"]
    ?.trim()
    .replace(/[^\w.:-]/g, "?")
    .slice(0, 40);
  return { essence, charset: charset === "" ? undefined : charset };
}

/** Whether nothing but a refusal can come of a type, so that its body need not be read. */
export function isSurelyBinary({ essence }: MediaType): boolean {
  return /^(?:image\/(?!svg\+xml$)|audio\/|video\/|font\/)/.test(essence);
}

const SNIFFED_BYTES = 1024;
const MAX_JSON_BYTES = 1024 * 1024;

/** The kind of a body. */
export function mediaKindOf({ essence }: MediaType, bytes: Uint8Array): MediaKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES));
  const isBinary = hasBinaryBytes(head);
  if (hasPdfMark(head, isBinary || essence === "application/pdf")) return "pdf";
  if (isBinary) return "binary";
  // A text type that says what it is is believed: Markdown may begin with a tag.
  if (essence === "application/json" || essence.endsWith("+json")) return "json";
  if (essence === "text/html" || essence === "application/xhtml+xml")
    return isJson(head, bytes) ? "json" : "html";
  if (essence.startsWith("text/") || essence.endsWith("+xml") || essence === "application/xml") return "text";
  if (looksLikeJson(head)) return "json";
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(stringOf(head))
    ? "html"
    : "text";
}

/** NUL and other controls that no text holds; UTF-16, whose every second byte may be NUL, is text. */
function hasBinaryBytes(head: Buffer): boolean {
  if (utf16WithoutMark(head) !== undefined || /^(?:\xff\xfe|\xfe\xff)/.test(head.toString("latin1", 0, 2)))
    return false;
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString("latin1"));
}

/** UTF-16 without a byte order mark, known by the NUL bytes of mostly Latin text. */
export function utf16WithoutMark(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const nuls = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nuls;
  const most = head.length / 2;
  if (head.length < 4) return undefined;
  if (odd > most * 0.6 && even < most * 0.05) return "utf-16le";
  return even > most * 0.6 && odd < most * 0.05 ? "utf-16be" : undefined;
}

/** Readers of PDF find the mark anywhere in the first kilobyte, but a page of text may speak of it there. */
function hasPdfMark(head: Buffer, isAnywhere: boolean): boolean {
  return isAnywhere ? head.includes("%PDF-") : /^(?:\ufeff)?\s*%PDF-/.test(head.toString("utf8", 0, 64));
}

/** JSON under the name of HTML: what looks like it, and is. */
function isJson(head: Buffer, bytes: Uint8Array): boolean {
  if (!looksLikeJson(head) || bytes.length > MAX_JSON_BYTES) return false;
  try {
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
    return true;
  } catch {
    return false; // a SyntaxError: not JSON
  }
}

function looksLikeJson(head: Buffer): boolean {
  return /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[[{"\d\]-]|true|false|null|$))/.test(stringOf(head));
}

function stringOf(head: Buffer): string {
  return head.toString("utf8").replace(/^\ufeff/, "");
}
