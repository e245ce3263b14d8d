// The digest by which contents are compared. node:crypto is loaded at the first use: it is 3 ms of a start that a
// host waits for.
import type { Hash } from "node:crypto";

/** A SHA-256 to be fed. */
export function startDigest(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

/** The SHA-256 of a content, whole or in pieces, in lower-case hex. */
export function sha256(content: Uint8Array | readonly Uint8Array[]): string {
  const digest = startDigest();
  for (const piece of content instanceof Uint8Array ? [content] : content) digest.update(piece);
  return digest.digest("hex");
}
