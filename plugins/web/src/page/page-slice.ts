// A part of a text, cut between characters and never inside one. Pure.

export interface PageSlice {
  readonly text: string;
  readonly start: number;
  /** Where the next part begins; undefined at the end. */
  readonly next: number | undefined;
}

/** At most `maxCharacters` from `offset`; an offset inside a character moves to its beginning. */
export function sliceText(text: string, offset: number, maxCharacters: number): PageSlice {
  const start = edge(text, offset);
  const end = edge(text, Math.min(text.length, start + maxCharacters));
  // One character may be two units, and something must be taken or the reader never ends.
  const taken = end > start ? end : Math.min(text.length, start + 2);
  return { text: text.slice(start, taken), start, next: taken < text.length ? taken : undefined };
}

function edge(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isLow = code >= 0xdc00 && code <= 0xdfff;
  const before = text.charCodeAt(at - 1);
  return isLow && before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
