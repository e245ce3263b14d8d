// Files of a directory as ripgrep lists them (`--files`, `--files-with-matches`, `--count`): pulled, filtered, and cut
// to what a page needs, however many there are.
import type { JailDirectory } from "@pluggableharness/jail";
import type { FirstEntries } from "./first-entries.ts";
import type { ItemSplitter } from "./path-list.ts";
import { type RipgrepEnd, startRipgrep } from "./ripgrep-process.ts";
import { parentOf, type SteadyDirectories, watchSteadiness } from "./steady-directories.ts";

export interface ListRequest<T> {
  readonly directory: JailDirectory;
  /** For ripgrep, without the path. */
  readonly args: readonly string[];
  readonly onIgnoreFile: (path: string) => void;
  readonly splitter: () => ItemSplitter<T>;
  readonly pathOf: (entry: T) => string;
  readonly accepts: (path: string) => boolean;
  /** What is kept of the entries. */
  readonly keep: () => FirstEntries<T>;
  /** Entries are passed on as they are found. */
  readonly isStreamed: boolean;
  readonly signal: AbortSignal;
}

/** What was found. */
export interface EntryList<T> {
  readonly entries: readonly T[];
  readonly total: number;
  readonly steadiness: SteadyDirectories;
  /** Directories with entries that changed while ripgrep ran: what it said about them has to be confirmed. */
  readonly unsteady: ReadonlySet<string>;
  readonly end: RipgrepEnd;
}

/**
 * Lists, and once more where a directory changed meanwhile: only what stood still can be counted. Yields entries of
 * steady directories as they are found; those of a second attempt again. After an abort the list is what was found
 * until then.
 */
export async function* listEntries<T>(request: ListRequest<T>): AsyncGenerator<readonly T[], EntryList<T>> {
  for (let attempt = 1; ; attempt++) {
    const list = yield* listOnce(request);
    if (list.unsteady.size === 0 || attempt === 2 || request.signal.aborted) return list;
  }
}

async function* listOnce<T>(request: ListRequest<T>): AsyncGenerator<readonly T[], EntryList<T>> {
  const { directory, args, pathOf, accepts, onIgnoreFile, signal } = request;
  const steadiness = await watchSteadiness(directory, signal);
  const cwd = directory.pathForChild;
  await using ripgrep = startRipgrep({
    args: [...args, "--", "./"],
    cwd,
    onIgnoreFile,
    // What is passed on as it is found needs to know at once which ignore files were read.
    wordsAtEnd: !request.isStreamed,
    signal,
  });
  const kept = request.keep();
  const split = request.splitter();
  const directories = new Set<string>();
  let total = 0;
  for (let isOpen = true; isOpen; ) {
    const step = await ripgrep.output.next();
    isOpen = step.done !== true;
    const found = split(step.done === true ? undefined : step.value).filter((entry) =>
      accepts(pathOf(entry)),
    );
    total += found.length;
    let last: string | undefined;
    for (const entry of found) {
      kept.add(entry);
      const path = pathOf(entry);
      // Files of one directory come together as a rule; then one look-up is enough.
      if (last !== undefined && path.startsWith(last) && path.indexOf("/", last.length) < 0) continue;
      const parent = parentOf(path);
      last = parent === "" ? undefined : `${parent}/`;
      directories.add(parent);
    }
    if (request.isStreamed && found.length > 0) {
      // ripgrep had said all of this before: one answer for each directory holds for all of it.
      const memo = new Map<string, boolean>();
      yield found.filter((entry) => steadiness.isSteady(parentOf(pathOf(entry)), memo));
    }
  }
  const memo = new Map<string, boolean>();
  const unsteady = new Set([...directories].filter((one) => !steadiness.isSteady(one, memo)));
  return { entries: kept.entries(), total, steadiness, unsteady, end: await ripgrep.end };
}

/** Lists parts of a directory at the same time; `entries` are those of all parts, part by part. */
export async function listParts<T>(
  requests: readonly ListRequest<T>[],
): Promise<EntryList<T> & { readonly parts: readonly (readonly T[])[] }> {
  // All of them end before one failure is passed on: no ripgrep outlives the call.
  const outcomes = await Promise.allSettled(requests.map((request) => lastOf(listEntries(request))));
  const lists = outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
  const parts = lists.map(({ entries }) => entries);
  const codes = lists.flatMap(({ end }) => (end.code === undefined ? [] : [end.code]));
  return {
    parts,
    entries: parts.flat(),
    total: lists.reduce((sum, { total }) => sum + total, 0),
    steadiness: { isSteady: (path) => lists.every(({ steadiness }) => steadiness.isSteady(path)) },
    unsteady: new Set(lists.flatMap(({ unsteady }) => [...unsteady])),
    end: {
      code: codes.length === 0 ? undefined : Math.max(...codes),
      stderr: Buffer.concat(lists.map(({ end }) => end.stderr)),
    },
  };
}

async function lastOf<T>(generator: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await generator.next();
    if (step.done === true) return step.value;
  }
}
