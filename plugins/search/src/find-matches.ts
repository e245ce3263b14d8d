// The work of grep in the mode `content`. Results are in the order of paths and lines, on every page. ripgrep is
// fastest when it takes files in any order, so the first page is looked for that way: if everything fits on it, it is
// put in order and done. If not, ripgrep begins again in the order of paths and is stopped when the page is full.
import type { Call } from "@pluggableharness/plugin";
import { countIn } from "./count-in-file.ts";
import { directoryEvents, fileEvents } from "./grep-events.ts";
import { type GrepMatch, grepMatch } from "./grep-match.ts";
import { contentArgs, type GrepInput, patternArgs } from "./grep-plan.ts";
import { matchContext } from "./match-context.ts";
import { type PageBounds, pageBounds, pageRoom, pageTrail } from "./page.ts";
import { comparePaths } from "./path-order.ts";
import type { SearchState } from "./plugin.ts";
import type { RipgrepEnd } from "./ripgrep-process.ts";
import { requestBelow, type Scope } from "./scope.ts";
import type { SearchEvent } from "./search-event.ts";
import type { Selection } from "./selection.ts";
import type { SteadyDirectories } from "./steady-directories.ts";
import { beginsAsText } from "./zero-bytes.ts";

/** So many lines of one file wait for its end. */
const MAX_WAITING = 2_000;
/** How many binary files are named. */
export const MAX_BINARY_FILES = 20;

/** What was found for a page. */
export interface FoundMatches {
  readonly matches: readonly GrepMatch[];
  /** There is more than fits. */
  readonly hasMore: boolean;
  /** The page does not continue the one before. */
  readonly hasChanged: boolean;
  /** Results come in the order of every other page, so the next one can go on from here. */
  readonly isOrdered: boolean;
  readonly binaries: readonly string[];
  readonly end: RipgrepEnd | undefined;
  readonly steadiness: SteadyDirectories | undefined;
}

type Batches = AsyncGenerator<readonly GrepMatch[], FoundMatches>;

/** Finds the matches of one page and yields them as they are found. */
export async function* findMatches(
  input: GrepInput,
  scope: Scope,
  selection: Selection,
  call: Call<SearchState>,
): Batches {
  const bounds = pageBounds(input, call.state);
  const one = (order: Order): Batches => collect({ input, scope, selection, call, bounds, order });
  if (scope.kind === "file" && !beginsAsText(scope.file)) return await inBinary(input, scope, call);
  if (scope.kind === "file" || bounds.offset > 0) return yield* one("path");
  const first = yield* one("any");
  if (!first.hasMore || call.signal.aborted) return first;
  const isGiven = new Set(first.matches.map(nameOf));
  const again = one("path");
  for (;;) {
    const step = await again.next();
    if (step.done === true) return step.value;
    yield step.value.filter((match) => !isGiven.has(nameOf(match)));
  }
}

/** Of a binary file only whether it matches. */
async function inBinary(
  input: GrepInput,
  { file }: Extract<Scope, { kind: "file" }>,
  { signal }: Call<SearchState>,
): Promise<FoundMatches> {
  const count = await countIn(file, input, signal);
  const rest = { hasMore: false, hasChanged: false, isOrdered: true, end: undefined, steadiness: undefined };
  return { matches: [], binaries: count > 0 ? [""] : [], ...rest };
}

type Order = "any" | "path";

interface Collection {
  readonly input: GrepInput;
  readonly scope: Scope;
  readonly selection: Selection;
  readonly call: Call<SearchState>;
  readonly bounds: PageBounds;
  readonly order: Order;
}

async function* collect({ input, scope, selection, call, bounds, order }: Collection): Batches {
  const { signal, state, context } = call;
  const binaries: string[] = [];
  const format = {
    spell: (path: string) => (scope.kind === "file" ? scope.spelling : scope.spelling + path),
    maxColumns: input.max_columns ?? 500,
    open: (path: string) =>
      state.jail.openFile(scope.kind === "file" ? { path: scope.realPath } : requestBelow(scope, path)),
    signal,
  };
  const maxColumns = input.max_columns ?? 500;
  const args = [...contentArgs(input, bounds.offset + bounds.limit + 1), ...patternArgs(input)];
  const events: AsyncGenerator<readonly SearchEvent[], Ended> =
    scope.kind === "file"
      ? endOnly(fileEvents({ file: scope.file, path: "", args, maxColumns, signal }))
      : directoryEvents({
          jail: state.jail,
          scope,
          args,
          flags: [...selection.flags, ...(order === "path" ? ["--sort=path"] : [])],
          onIgnoreFile: selection.onIgnoreFile,
          accepts: selection.accepts,
          onBinary: (path) => void (binaries.length <= MAX_BINARY_FILES && binaries.push(path)),
          maxColumns,
          maxWaiting: MAX_WAITING,
          signal,
        });

  const trail = pageTrail(state.pages, context, "grep", input);
  const room = pageRoom(bounds);
  const surround = matchContext(input.after ?? 0);
  const taken: { match: GrepMatch; path: string }[] = [];
  let passed = 0;
  let hasChanged = bounds.offset > 0 ? undefined : false;
  let ended: Ended | undefined;
  let hasMore = false;
  try {
    while (!hasMore && ended === undefined) {
      const step = await events.next();
      if (step.done === true) ended = step.value;
      const fresh: GrepMatch[] = [];
      // A last event for what is still open, where time ran out before ripgrep could say that the file ends.
      for (const event of step.done === true ? [LAST] : step.value) {
        for (const surrounded of surround(event)) {
          const { path, line } = surrounded.match;
          if (passed < bounds.offset) {
            trail.pass(`${path}:${line}`);
            passed++;
            continue;
          }
          hasChanged ??= trail.begin();
          const match = await grepMatch(surrounded, format);
          hasMore = !room.take(match);
          if (hasMore) break;
          trail.pass(`${path}:${line}`);
          taken.push({ match, path });
          fresh.push(match);
        }
        if (hasMore) break;
      }
      if (fresh.length > 0) yield fresh;
    }
  } finally {
    await events.return({ end: undefined, steadiness: undefined });
  }
  if (hasMore && order === "path") trail.end(bounds.offset + taken.length);
  if (order === "any") taken.sort((a, b) => comparePaths(a.path, b.path) || 0);
  return {
    matches: taken.map(({ match }) => match),
    hasMore,
    hasChanged: hasChanged ?? trail.begin(),
    isOrdered: order === "path",
    binaries,
    end: ended?.end,
    steadiness: ended?.steadiness,
  };
}

interface Ended {
  readonly end: RipgrepEnd | undefined;
  readonly steadiness: SteadyDirectories | undefined;
}

const LAST = { kind: "end", path: "", hasZeros: false } as const;

async function* endOnly(
  events: AsyncGenerator<readonly SearchEvent[], RipgrepEnd>,
): AsyncGenerator<readonly SearchEvent[], Ended> {
  return { end: yield* events, steadiness: undefined };
}

function nameOf({ path, line }: GrepMatch): string {
  return `${line}:${path}`;
}
