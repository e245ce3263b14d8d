// A match as grep gives it out.
import type { JailFile } from "@pluggableharness/jail";
import type { Excerpt } from "./excerpt.ts";
import { longLineExcerpt } from "./long-line.ts";
import type { SurroundedMatch } from "./match-context.ts";
import type { FoundLine } from "./search-event.ts";
import { type ShownPath, shownPath } from "./shown-path.ts";

export interface ContextLine {
  line: number;
  text: string;
}

/** One matching line, or the lines of one match over several. */
export interface GrepMatch extends ShownPath, Excerpt {
  line: number;
  /** Matches on the line, where there are several. */
  occurrences?: number;
  before?: ContextLine[];
  after?: ContextLine[];
}

/** What it takes to make one. */
export interface MatchFormat {
  readonly spell: (path: string) => string;
  readonly maxColumns: number;
  /** Opens the file of a match whose line is too long to come from ripgrep; the caller disposes it. */
  readonly open: (path: string) => JailFile;
  readonly signal: AbortSignal;
}

export async function grepMatch(
  { match, before, after }: SurroundedMatch,
  format: MatchFormat,
): Promise<GrepMatch> {
  return {
    ...shownPath(format.spell(match.path)),
    line: match.line,
    ...(await excerpt(match, format)),
    ...(match.count > 1 && { occurrences: match.count }),
    ...(before.length > 0 && { before: before.map(contextLine) }),
    ...(after.length > 0 && { after: after.map(contextLine) }),
  };
}

async function excerpt(match: FoundLine, { maxColumns, open, signal }: MatchFormat): Promise<Excerpt> {
  if (match.excerpt !== undefined) return match.excerpt;
  using file = open(match.path);
  return await longLineExcerpt(file, match, maxColumns, signal);
}

function contextLine({ line, excerpt }: FoundLine): ContextLine {
  if (excerpt === undefined) return { line, text: "…" };
  return { line, text: excerpt.cut_after === undefined ? excerpt.text : `${excerpt.text}…` };
}
