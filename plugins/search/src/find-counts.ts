// The work of grep in the modes `files` and `count`: which files match, and on how many lines, in the order of paths.
import type { Call } from "@pluggableharness/plugin";
import { countIn } from "./count-in-file.ts";
import { type EntryList, listEntries } from "./entry-list.ts";
import { firstByPath } from "./first-entries.ts";
import { type GrepInput, patternArgs } from "./grep-plan.ts";
import { pageBounds, pageRoom, pageTrail } from "./page.ts";
import { type CountedPath, countSplitter, type ItemSplitter, pathSplitter } from "./path-list.ts";
import type { SearchState } from "./plugin.ts";
import { isGone, requestBelow, type Scope } from "./scope.ts";
import type { Selection } from "./selection.ts";
import { type ShownPath, shownPath } from "./shown-path.ts";
import { parentOf } from "./steady-directories.ts";

/** A file with matches. */
export interface GrepFile extends ShownPath {
  /** Matching lines; in the mode `count`. */
  count?: number;
}

/** What was found for a page. */
export interface FoundCounts {
  readonly files: readonly GrepFile[];
  /** Files in all, and their matching lines in the mode `count`; undefined where not everything could be counted. */
  readonly total: number | undefined;
  readonly totalCount: number | undefined;
  readonly nextOffset: number | undefined;
  readonly hasChanged: boolean;
  /** Undefined for a single file. */
  readonly list: EntryList<CountedPath> | undefined;
}

type Batches = AsyncGenerator<readonly GrepFile[], FoundCounts>;

/** Finds the files of one page and yields files as they are found. */
export async function* findCounts(
  input: GrepInput,
  scope: Scope,
  selection: Selection,
  call: Call<SearchState>,
): Batches {
  const isCount = input.mode === "count";
  const { signal, state, context } = call;
  const shown = ({ path, count }: CountedPath): GrepFile => ({
    ...shownPath(path),
    ...(isCount && { count }),
  });
  if (scope.kind === "file") {
    const count = await countIn(scope.file, input, signal);
    const files = count > 0 ? [shown({ path: scope.spelling, count })] : [];
    return {
      files,
      total: files.length,
      totalCount: count,
      nextOffset: undefined,
      hasChanged: false,
      list: undefined,
    };
  }
  const bounds = pageBounds(input, state);
  const spelled = ({ path, count }: CountedPath): CountedPath => ({ path: scope.spelling + path, count });
  let totalCount = 0;
  const listing = listEntries<CountedPath>({
    directory: scope.directory,
    args: [
      ...selection.flags,
      "--binary",
      ...patternArgs(input),
      isCount ? "--count" : "--files-with-matches",
      "--null",
    ],
    splitter: isCount ? countSplitter : pathsAsCounts,
    pathOf: ({ path }) => path,
    onIgnoreFile: selection.onIgnoreFile,
    accepts: selection.accepts,
    isStreamed: true,
    keep: () => {
      totalCount = 0;
      const kept = firstByPath<CountedPath>(bounds.offset + bounds.limit, ({ path }) => path);
      const add = (entry: CountedPath): void => {
        totalCount += entry.count;
        kept.add(entry);
      };
      return { ...kept, add };
    },
    signal,
  });
  const list = yield* bounded(listing, bounds.limit, (entry) => shown(spelled(entry)));

  const trail = pageTrail(state.pages, context, "grep", input);
  for (const { path } of list.entries.slice(0, bounds.offset)) trail.pass(path);
  const hasChanged = trail.begin();
  const room = pageRoom(bounds);
  const files: GrepFile[] = [];
  let end = Math.min(bounds.offset, list.entries.length);
  for (const entry of list.entries.slice(end)) {
    const count = list.unsteady.has(parentOf(entry.path)) ? await countAgain(entry.path) : entry.count;
    const file = shown(spelled({ path: entry.path, count }));
    if (count > 0 && !room.take(file)) break;
    if (count > 0) files.push(file);
    trail.pass(entry.path);
    end++;
  }
  const hasMore = end < list.total;
  if (hasMore) trail.end(end);
  const isKnown = list.unsteady.size === 0 && !signal.aborted;
  return {
    files,
    total: isKnown ? list.total : undefined,
    totalCount: isKnown && isCount ? totalCount : undefined,
    nextOffset: hasMore ? end : undefined,
    hasChanged,
    list,
  };

  /** Matching lines of the file that the jail opens; 0 where it opens none. */
  async function countAgain(path: string): Promise<number> {
    try {
      using file = state.jail.openFile(requestBelow(scope, path));
      return await countIn(file, input, signal);
    } catch (error) {
      if (isGone(error)) return 0;
      throw error;
    }
  }
}

function pathsAsCounts(): ItemSplitter<CountedPath> {
  const split = pathSplitter();
  return (piece) => split(piece).map((path) => ({ path, count: 1 }));
}

/** Passes on what is found, up to a page of it, and returns what the source returns. */
async function* bounded<T, U, R>(
  source: AsyncGenerator<readonly T[], R>,
  limit: number,
  shown: (entry: T) => U,
): AsyncGenerator<readonly U[], R> {
  let left = limit;
  try {
    for (;;) {
      const step = await source.next();
      if (step.done === true) return step.value;
      const batch = step.value.slice(0, left);
      left -= batch.length;
      if (batch.length > 0) yield batch.map(shown);
    }
  } finally {
    // Ends ripgrep where nobody asks for more.
    await source.return(undefined as R); // what it returns then is not looked at
  }
}
