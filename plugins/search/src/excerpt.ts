// A line as it is given out: decoded, without its end of line, cut around the match where it is too long, with columns
// that count characters of the whole line. Pure.
import { Buffer } from "node:buffer";

/** What is shown of a line. */
export interface Excerpt {
  text: string;
  /** From 1, in characters of the whole line. */
  column: number;
  /** One past the last character of the match, on `end_line` or the same line. */
  end_column: number;
  end_line?: number;
  /** Characters of the line before and after `text`. */
  cut_before?: number;
  cut_after?: number;
  /** Where the line is not UTF-8. */
  encoding?: "latin-1";
}

/** Where the first match is: its line, and bytes from the beginning of that line. */
export interface MatchPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The excerpt of a line, with its end; a Buffer where it is no UTF-8. */
export function excerptOf(
  given: string | Buffer,
  { line, start: startByte, end: endByte }: MatchPlace,
  maxColumns: number,
): Excerpt {
  const isLatin1 = typeof given !== "string";
  const whole = isLatin1 ? given.toString("latin1") : given;
  const text = whole.replace(/\r?\n$/, "");
  const start = Math.min(characterAt(given, startByte), text.length);
  const end = Math.max(start, Math.min(characterAt(given, endByte), text.length));
  return {
    ...cutAround(text, start, end, maxColumns),
    ...positions(text, start, end, line),
    ...(isLatin1 && { encoding: "latin-1" as const }),
  };
}

/** The UTF-16 index of a byte of the line. */
function characterAt(text: string | Buffer, byte: number): number {
  if (typeof text !== "string") return byte;
  const bytes = Buffer.from(text);
  return bytes.length === text.length ? byte : bytes.toString("utf8", 0, byte).length;
}

/** Columns count characters, not bytes and not halves of surrogate pairs. */
export function columnsOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function positions(
  text: string,
  start: number,
  end: number,
  line: number,
): Pick<Excerpt, "column" | "end_column" | "end_line"> {
  const column = columnsOf(text.slice(text.lastIndexOf("\n", start - 1) + 1, start)) + 1;
  const lineFeeds = text.slice(0, end).split("\n").length - 1;
  const lastLine = text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
  return {
    column,
    end_column: columnsOf(lastLine) + 1,
    ...(lineFeeds > 0 && { end_line: line + lineFeeds }),
  };
}

/** At most `max` characters with the match in their middle; both ends fall between characters. */
export function cutAround(
  text: string,
  start: number,
  end: number,
  max: number,
): Pick<Excerpt, "text" | "cut_before" | "cut_after"> {
  if (text.length <= max) return { text };
  const spare = Math.max(0, max - (end - start));
  const from = onCharacter(text, Math.max(0, Math.min(start - Math.floor(spare / 2), text.length - max)));
  const to = onCharacter(text, Math.min(text.length, from + max));
  const before = columnsOf(text.slice(0, from));
  const after = columnsOf(text.slice(to));
  return {
    text: text.slice(from, to),
    ...(before > 0 && { cut_before: before }),
    ...(after > 0 && { cut_after: after }),
  };
}

function onCharacter(text: string, at: number): number {
  const isLow = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isLow ? at - 1 : at;
}
