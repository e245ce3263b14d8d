// ripgrep's JSON records, one a line, from pieces of any size. A record that is too long to keep, since a line of the
// file or the match on it is, comes as its facts alone: they stand behind the text, at places no text can imitate,
// because a quotation mark in a JSON string is escaped.
import { Buffer } from "node:buffer";

/** Longer records are reduced to their facts. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** A line of output, or what remains of one that is too long. */
export type RawRecord =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | {
      readonly kind: "long";
      /** The beginning of the record. */
      readonly head: string;
      /** From the line's number on. */
      readonly facts: string;
      /** From the first match's place in the line on. */
      readonly place: string;
    };

const LINE_FEED = 0x0a;
const HEAD_BYTES = 32 * 1024;
const FACTS_MARK = Buffer.from('"},"line_number":');
const PLACE_MARK = Buffer.from('"},"start":');
/** Enough for the numbers behind a mark. */
const FACT_BYTES = 160;

/** Splits pieces into records. */
export function recordSplitter(): (piece: Buffer) => Generator<RawRecord, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let long: LongRecord | undefined;

  function* finish(last: Buffer): Generator<RawRecord, void> {
    if (long !== undefined) {
      long.add(last);
      yield long.record();
    } else if (length > 0 || last.length > 0) {
      yield { kind: "whole", bytes: length === 0 ? last : Buffer.concat([...parts, last]) };
    }
    parts = [];
    length = 0;
    long = undefined;
  }

  return function* split(piece) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      yield* finish(piece.subarray(from, end));
      from = end + 1;
    }
    const rest = piece.subarray(from);
    if (long !== undefined) long.add(rest);
    else if (rest.length > 0) {
      parts.push(rest);
      length += rest.length;
      if (length <= MAX_RECORD_BYTES) return;
      long = longRecord(Buffer.concat(parts));
      parts = [];
    }
  };
}

interface LongRecord {
  add(piece: Buffer): void;
  record(): RawRecord;
}

function longRecord(beginning: Buffer): LongRecord {
  const facts = capture(FACTS_MARK);
  const place = capture(PLACE_MARK);
  const add = (piece: Buffer): void => {
    const after = facts.add(piece);
    if (after !== undefined) place.add(after);
  };
  add(beginning);
  const head = beginning.toString("utf8", 0, HEAD_BYTES);
  return { add, record: () => ({ kind: "long", head, facts: facts.text(), place: place.text() }) };
}

/** Looks for a mark in a stream and keeps what follows it. */
function capture(mark: Buffer): { add(piece: Buffer): Buffer | undefined; text(): string } {
  let carried: Buffer = Buffer.alloc(0);
  let kept: Buffer | undefined;
  return {
    /** What follows the mark, where it has come. */
    add(piece) {
      if (kept !== undefined) {
        if (kept.length < FACT_BYTES) kept = Buffer.concat([kept, piece.subarray(0, FACT_BYTES)]);
        return piece;
      }
      const joined = Buffer.concat([carried, piece]);
      const at = joined.indexOf(mark);
      if (at < 0) {
        carried = Buffer.from(joined.subarray(Math.max(0, joined.length - mark.length + 1)));
        return undefined;
      }
      const after = joined.subarray(at + mark.length);
      kept = Buffer.from(after.subarray(0, FACT_BYTES));
      return after;
    },
    text: () => kept?.toString("utf8") ?? "",
  };
}
