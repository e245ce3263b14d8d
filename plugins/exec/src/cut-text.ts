// Cuts a long text in the middle: half of what may be shown from its beginning, half from its end, at ends of lines
// where there are some nearby, and never within a character.
import { completeLength } from "./utf8-carry.ts";

/** What is left of a text. */
export interface CutText {
  readonly text: string;
  readonly truncated: boolean;
  /** Bytes that `text` does not show. */
  readonly omittedBytes: number;
}

/** A text whose middle may be missing already. */
export interface TextEnds {
  readonly head: string;
  /** Empty where `head` is all of it. */
  readonly tail: string;
  /** Between them, and not known here. */
  readonly omittedBytes: number;
}

/** Cuts to `maxBytes`; `hint` says where the rest is. */
export function cutMiddle(ends: TextEnds, maxBytes: number, hint: string): CutText {
  const head = Buffer.from(ends.head);
  if (ends.omittedBytes === 0 && ends.tail === "" && head.length <= maxBytes) {
    return { text: ends.head, truncated: false, omittedBytes: 0 };
  }
  const half = Math.floor(maxBytes / 2);
  const hasGap = ends.omittedBytes > 0;
  const tail = hasGap ? Buffer.from(ends.tail) : head;
  const first = head.subarray(0, headEnd(head, half));
  const second = tail.subarray(tailStart(tail, half));
  const cutHead = hasGap
    ? head.subarray(first.length)
    : head.subarray(first.length, head.length - second.length);
  const cutTail = hasGap ? tail.subarray(0, tail.length - second.length) : Buffer.alloc(0);
  const omittedBytes = ends.omittedBytes + cutHead.length + cutTail.length;
  const gap = `[... ${omittedBytes} bytes are left out here${hint} ...]`;
  const text = [first.toString().replace(/\n$/, ""), gap, second.toString()].join("\n");
  return { text, truncated: true, omittedBytes };
}

/** At the end of a line, unless that gives up more than half. */
function headEnd(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  const newline = bytes.lastIndexOf(10, limit - 1);
  if (newline >= limit / 2) return newline + 1;
  return completeLength(bytes.subarray(0, limit));
}

function tailStart(bytes: Buffer, limit: number): number {
  let start = Math.max(0, bytes.length - limit);
  if (start === 0) return 0;
  const newline = bytes.indexOf(10, start - 1);
  if (newline !== -1 && newline + 1 <= start + limit / 2) return newline + 1;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
