// Read access to a text by offset, so that hunks can be cut out of a string or of undecoded bytes alike.
// The line rule is the same everywhere: LF ends a line (CRLF too, since it ends in LF), a lone CR does not.

/** A text whose offsets count in whatever unit its owner works in: UTF-16 units of a string, or bytes. */
export interface OffsetText {
  readonly length: number;
  /** The text from `start` to before `end`. */
  slice(start: number, end: number): string;
  /** The offset just before which the line that holds `offset` starts: after the last LF before it, or 0. */
  lineStart(offset: number): number;
  /** The offset just after the first LF at or after `offset`; `length` where none follows. */
  lineEnd(offset: number): number;
  /** How many LF stand before `offset`. Cheap for offsets near the one asked for last. */
  linesBefore(offset: number): number;
}

/** A string as an OffsetText; offsets are UTF-16 units. */
export function stringText(text: string): OffsetText {
  return {
    length: text.length,
    slice: (start, end) => text.slice(start, end),
    lineStart: (offset) => (offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1),
    lineEnd: (offset) => text.indexOf("\n", offset) + 1 || text.length,
    linesBefore: countedFromLast((start, end) => {
      let count = 0;
      for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1))
        count++;
      return count;
    }),
  };
}

/**
 * Makes `linesBefore` out of a function that counts the LF between two offsets: it remembers its last answer
 * and counts on from there, in either direction.
 */
export function countedFromLast(count: (start: number, end: number) => number): (offset: number) => number {
  let known = { offset: 0, lines: 0 };
  return (offset) => {
    const between = offset >= known.offset ? count(known.offset, offset) : -count(offset, known.offset);
    known = { offset, lines: known.lines + between };
    return known.lines;
  };
}

/** The lines of a text, each with its ending; an empty text has none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
