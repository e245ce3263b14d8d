// One record of ripgrep as an event of a search: a file begins, a line matches or surrounds a match, a file ends.
import { Buffer } from "node:buffer";
import { decodeName } from "@pluggableharness/jail";
import { type Excerpt, excerptOf } from "./excerpt.ts";
import { withoutDot } from "./path-list.ts";
import { type RawRecord, recordSplitter } from "./record-splitter.ts";

/** A line that ripgrep found. */
export interface FoundLine {
  /** The file, relative to the searched directory. */
  readonly path: string;
  readonly line: number;
  /** Another one than `line` for a match over several lines. */
  readonly lastLine: number;
  /** What is shown of it; undefined where the line is too long to be handed over. */
  readonly excerpt: Excerpt | undefined;
  /** Where the line begins in the file; after decoding where the file is UTF-16. */
  readonly offset: number;
  /** Bytes from the beginning of the line to the first match, and to its end. */
  readonly start: number;
  readonly end: number;
  /** Matches on the line. */
  readonly count: number;
}

export type SearchEvent =
  | { readonly kind: "begin"; readonly path: string }
  | ({ readonly kind: "match" } & FoundLine)
  | ({ readonly kind: "context" } & FoundLine)
  | {
      readonly kind: "end";
      readonly path: string;
      /** Where the search met a zero byte it has taken each for an end of line. */
      readonly hasZeros: boolean;
    };

/** The event of a record; undefined for the summary. Lines are cut to `maxColumns` at once. */
export function searchEvent(record: RawRecord, maxColumns: number): SearchEvent | undefined {
  if (record.kind === "long") return longEvent(record);
  // ripgrep's own format, which is fixed by its version; what is missing in it shows as undefined below.
  const { type, data } = JSON.parse(record.bytes.toString("utf8")) as JsonRecord;
  if (type === "summary" || data.path === undefined) return undefined;
  const path = pathOf(data.path);
  if (type === "begin") return { kind: type, path };
  if (type === "end") return { kind: type, path, hasZeros: typeof data.binary_offset === "number" };
  const { line_number: line = 0, absolute_offset: offset = 0, lines = { text: "" }, submatches = [] } = data;
  const { start, end } = submatches[0] ?? { start: 0, end: 0 };
  const text = textOf(lines);
  return {
    kind: type,
    path,
    line,
    lastLine: line + innerLineFeeds(text),
    excerpt: excerptOf(text, { line, start, end }, maxColumns),
    offset,
    start,
    end,
    count: submatches.length,
  };
}

/** The events of ripgrep's output, in batches as it comes. */
export async function* searchEvents(
  output: AsyncIterator<Buffer>,
  maxColumns: number,
): AsyncGenerator<readonly SearchEvent[], void> {
  const split = recordSplitter();
  for (let step = await output.next(); step.done !== true; step = await output.next()) {
    const events: SearchEvent[] = [];
    for (const record of split(step.value)) {
      const event = searchEvent(record, maxColumns);
      if (event !== undefined) events.push(event);
    }
    if (events.length > 0) yield events;
  }
}

type Arbitrary = { readonly text: string } | { readonly bytes: string };

interface JsonRecord {
  readonly type: "begin" | "match" | "context" | "end" | "summary";
  readonly data: {
    readonly path?: Arbitrary;
    readonly lines?: Arbitrary;
    readonly line_number?: number;
    readonly absolute_offset?: number;
    readonly binary_offset?: number | null;
    readonly submatches?: readonly { readonly start: number; readonly end: number }[];
  };
}

function longEvent({ head, facts, place }: Extract<RawRecord, { kind: "long" }>): SearchEvent | undefined {
  const kind = head.startsWith('{"type":"match"') ? "match" : "context";
  const given = /^\{"type":"\w+","data":\{"path":(\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\})/.exec(head)?.[1];
  const [, line, offset] = /^(\d+),"absolute_offset":(\d+)/.exec(facts) ?? [];
  if (given === undefined || line === undefined || offset === undefined) return undefined;
  const [, start = "0", end = start] = /^(\d+),"end":(\d+)/.exec(place) ?? [];
  return {
    kind,
    path: pathOf(JSON.parse(given) as Arbitrary), // as the expression above has it
    line: Number(line),
    lastLine: Number(line),
    excerpt: undefined,
    offset: Number(offset),
    start: Number(start),
    end: Number(end),
    count: 1,
  };
}

function pathOf(given: Arbitrary): string {
  return withoutDot("text" in given ? given.text : decodeName(Buffer.from(given.bytes, "base64")));
}

function textOf(given: Arbitrary): string | Buffer {
  return "text" in given ? given.text : Buffer.from(given.bytes, "base64");
}

function innerLineFeeds(text: string | Buffer): number {
  const last = text.length - 1;
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < last; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
