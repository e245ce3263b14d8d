// Gives each match the lines around it: a line after a match belongs to it as far as `after` reaches, any other to the
// match that follows, and no line comes twice. Pure.
import type { FoundLine, SearchEvent } from "./search-event.ts";

/** A match with its surroundings. */
export interface SurroundedMatch {
  readonly match: FoundLine;
  readonly before: readonly FoundLine[];
  readonly after: readonly FoundLine[];
}

/** Takes events in their order and gives each match once its surroundings are complete. */
export function matchContext(after: number): (event: SearchEvent) => readonly SurroundedMatch[] {
  let open: { match: FoundLine; last: number; before: FoundLine[]; after: FoundLine[] } | undefined;
  let waiting: FoundLine[] = [];

  const close = (): SurroundedMatch[] => {
    const closed = open === undefined ? [] : [open];
    open = undefined;
    return closed;
  };

  return (event) => {
    switch (event.kind) {
      case "begin":
      case "end": {
        const closed = close();
        waiting = [];
        return closed;
      }
      case "context":
        if (open !== undefined && event.line <= open.last + after) {
          open.after.push(event);
          return [];
        }
        waiting.push(event);
        return close();
      case "match": {
        const closed = close();
        const match = { match: event, last: event.lastLine, before: waiting, after: [] };
        waiting = [];
        if (after === 0) return [...closed, match];
        open = match;
        return closed;
      }
    }
  };
}
