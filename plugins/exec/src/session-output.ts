// The output of a session since a cursor: as text, and the cursor to go on from. The text is what a terminal shows of
// just these bytes; a character or an escape that is not complete yet waits for the next read.

import type { TerminalSize } from "./child.ts";
import { type CutText, cutMiddle } from "./cut-text.ts";
import type { Session } from "./session.ts";
import { shownText } from "./shown-text.ts";
import { completeLength } from "./utf8-carry.ts";

/** More than this in an escape is none. */
const MAX_ESCAPE_BYTES = 64;

export interface SessionOutput {
  readonly text: CutText;
  readonly cursor: number;
  readonly skipped: number;
}

export async function outputSince(
  session: Session,
  cursor: number,
  size: TerminalSize,
  maxBytes: number,
): Promise<SessionOutput> {
  const { bytes, skipped } = session.ring.from(cursor);
  const length = session.status === undefined ? wholeLength(bytes) : bytes.length;
  const head = await shownText(bytes.subarray(0, length), size, false);
  const text = cutMiddle(
    { head, tail: "", omittedBytes: 0 },
    maxBytes,
    `; the full output is in ${session.log.path}`,
  );
  return { text, cursor: Math.min(cursor, session.ring.total) + skipped + length, skipped };
}

/** Without an unfinished character or escape at the end. */
export function wholeLength(bytes: Buffer): number {
  const start = bytes.lastIndexOf(0x1b);
  if (start !== -1 && bytes.length - start <= MAX_ESCAPE_BYTES) {
    const rest = bytes.subarray(start).toString("latin1");
    if (/^\x1b(\[[0-?]*[ -/]*|[\]PX^_][^\x07]*|[ -/]*)?$/.test(rest)) return start;
  }
  return completeLength(bytes);
}
