// One record of ripgrep as an event of a search: a file begins, a line matches or surrounds a match, a file ends.
import { Buffer } from "node:buffer";
import { decodeName } from "@pluggableharness/jail";
import { withoutDot } from "./path-list.ts";
import type { RawRecord } from "./record-splitter.ts";

/** A line as ripgrep has it. */
export interface FoundLine {
  /** The file, relative to the searched directory. */
  readonly path: string;
  readonly line: number;
  /** Where the line begins in the file; after decoding where the file is UTF-16. */
  readonly offset: number;
  /** With its end of line. A Buffer where it is not UTF-8; undefined where it is too long to be handed over. */
  readonly text: string | Buffer | undefined;
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
  | { readonly kind: "end"; readonly path: string };

/** The event of a record; undefined for the summary. */
export function searchEvent(record: RawRecord): SearchEvent | undefined {
  if (record.kind === "long") return longEvent(record);
  // ripgrep's own format, which is fixed by its version; what would not fit it shows as undefined below.
  const { type, data } = JSON.parse(record.bytes.toString("utf8")) as JsonRecord;
  if (type === "summary" || data.path === undefined) return undefined;
  const path = pathOf(data.path);
  if (type !== "match" && type !== "context") return { kind: type, path };
  const [first] = data.submatches ?? [];
  return {
    kind: type,
    path,
    line: data.line_number ?? 0,
    offset: data.absolute_offset ?? 0,
    text: textOf(data.lines ?? { text: "" }),
    start: first?.start ?? 0,
    end: first?.end ?? 0,
    count: data.submatches?.length ?? 0,
  };
}

type Arbitrary = { readonly text: string } | { readonly bytes: string };

interface JsonRecord {
  readonly type: "begin" | "match" | "context" | "end" | "summary";
  readonly data: {
    readonly path?: Arbitrary;
    readonly lines?: Arbitrary;
    readonly line_number?: number;
    readonly absolute_offset?: number;
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
    offset: Number(offset),
    text: undefined,
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
