// The passage of a text that is most like one that was not found. Bounded by construction: one pass for words,
// then a few windows compared character by character.
import { align, costOfAll } from "./alignment.ts";
import { likelyPlaces, PLACE_CHARS } from "./word-votes.ts";

/** A part of a text, in UTF-16 units. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

/** Characters of the wanted passage that are aligned; its beginning finds the place. */
const MAX_COMPARED_CHARS = 1_500;
/** Windows of the text compared with it. */
const MAX_WINDOWS = 6;
/** Less alike than this is not worth showing. */
const MIN_SIMILARITY = 0.5;

/** The closest passage to `wanted`; undefined where nothing is at least half alike. */
export function closestPassage(text: string, wanted: string): Passage | undefined {
  const compared = wanted.slice(0, MAX_COMPARED_CHARS);
  const limit = (1 - MIN_SIMILARITY) * costOfAll(compared);
  let best: (Passage & { readonly cost: number }) | undefined;
  for (const place of likelyPlaces(text, compared, MAX_WINDOWS)) {
    const from = Math.max(0, place - PLACE_CHARS);
    const window = text.slice(from, place + compared.length + 3 * PLACE_CHARS);
    const { start, end, cost } = align(compared, window);
    const isBetter = cost <= limit && cost < (best?.cost ?? Infinity);
    if (isBetter) best = { start: from + start, end: from + end, cost };
  }
  if (best === undefined) return undefined;
  const { start, end } = withIndentation(text, compared, best);
  return { start, end: compared.length < wanted.length ? endOfLines(text, wanted, start) : end };
}

/** Where as many lines as are wanted end; the last one may be wanted in part, so it is aligned like the first. */
function endOfLines(text: string, wanted: string, start: number): number {
  const lines = wanted.split("\n");
  const last = lines.at(-1) ?? "";
  let at = start;
  for (let line = 1; line < lines.length; line++) {
    const next = text.indexOf("\n", at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  const next = text.indexOf("\n", at);
  const lineEnd = next === -1 ? text.length : next;
  if (last.length > MAX_COMPARED_CHARS) return Math.min(lineEnd, at + last.length);
  return at + align(last, text.slice(at, Math.min(lineEnd, at + last.length + PLACE_CHARS))).end;
}

/** A passage wanted from its indentation on is compared with the whole indentation of the line it is on. */
function withIndentation(text: string, wanted: string, { start, end }: Passage): Passage {
  if (!/^[ \t]/.test(wanted)) return { start, end };
  let from = start;
  while (from > 0 && (text[from - 1] === " " || text[from - 1] === "\t")) from--;
  return { start: from === 0 || text[from - 1] === "\n" ? from : start, end };
}
