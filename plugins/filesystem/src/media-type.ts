// What a binary file is, by the bytes it begins with. Only to name it: that it is binary is decided elsewhere.

type Signature = readonly [mediaType: string, bytes: string, offset?: number];

/** Latin-1 strings, most telling first. */
const signatures: readonly Signature[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
  ["image/tiff", "II*\0"],
  ["image/tiff", "MM\0*"],
  ["image/x-icon", "\0\0\x01\0"],
  ["audio/wav", "WAVE", 8],
  ["audio/mpeg", "ID3"],
  ["audio/flac", "fLaC"],
  ["audio/ogg", "OggS"],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1aE\xdf\xa3"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/zip", "PK\x05\x06"],
  ["application/gzip", "\x1f\x8b"],
  ["application/x-bzip2", "BZh"],
  ["application/x-xz", "\xfd7zXZ\0"],
  ["application/zstd", "(\xb5/\xfd"],
  ["application/x-7z-compressed", "7z\xbc\xaf'\x1c"],
  ["application/x-tar", "ustar", 257],
  ["application/x-elf", "\x7fELF"],
  ["application/wasm", "\0asm"],
  ["application/x-mach-binary", "\xcf\xfa\xed\xfe"],
  ["application/java-vm", "\xca\xfe\xba\xbe"],
  ["application/vnd.microsoft.portable-executable", "MZ"],
  ["application/vnd.sqlite3", "SQLite format 3\0"],
  ["font/woff2", "wOF2"],
  ["font/woff", "wOFF"],
];

/** The media type of binary content; `application/octet-stream` where no signature fits. */
export function sniffMediaType(head: Buffer): string {
  for (const [mediaType, bytes, offset = 0] of signatures) {
    if (head.toString("latin1", offset, offset + bytes.length) === bytes) return mediaType;
  }
  return "application/octet-stream";
}
