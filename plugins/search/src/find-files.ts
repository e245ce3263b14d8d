// The work of glob: list, put in order, cut to the page, and look at each file of the page once more through the jail.
import type { Call } from "@pluggableharness/plugin";
import { listParts } from "./entry-list.ts";
import { firstByPath, firstToCome } from "./first-entries.ts";
import { newestFirst, TIE_MARGIN } from "./newest-first.ts";
import { type PageInput, pageBounds, pageRoom, pageTrail } from "./page.ts";
import { pathSplitter } from "./path-list.ts";
import { compilePattern } from "./path-pattern.ts";
import type { SearchState } from "./plugin.ts";
import { isGone, openDirectoryScope, requestBelow } from "./scope.ts";
import { type SelectionInput, select } from "./selection.ts";
import { type ShownPath, shownPath } from "./shown-path.ts";
import { splitAbsolute } from "./split-absolute.ts";
import { splitTree, WHOLE_TREE } from "./split-tree.ts";
import { timedOutOrThrow } from "./time-out.ts";
import { searchWarnings } from "./warnings.ts";

/** The arguments of glob. */
export interface GlobInput extends SelectionInput, PageInput {
  readonly pattern: string;
  readonly path?: string;
  readonly sort?: "modified" | "path";
  readonly case?: "sensitive" | "insensitive";
}

interface FoundFile extends ShownPath {
  size_bytes: number;
  modified: string;
}

/** The result of glob but for its name. */
export interface FoundFiles {
  matches: FoundFile[];
  total?: number;
  truncated: boolean;
  next_offset?: number;
  timed_out?: boolean;
  warnings?: string[];
}

/** Finds the files of one page. Throws ToolErrors. */
export async function findFiles(input: GlobInput, call: Call<SearchState>): Promise<FoundFiles> {
  const { complaint, ...found } = await findOnce(input, call);
  if (complaint === undefined) return found;
  const { complaint: _, warnings = [], ...again } = await findOnce({ ...input, respect_ignore: false }, call);
  return { ...again, warnings: [complaint, ...warnings] };
}

/** The complaint is about an ignore file: the files are not to be given out then. */
async function findOnce(
  input: GlobInput,
  call: Call<SearchState>,
): Promise<FoundFiles & { readonly complaint?: string | undefined }> {
  const { state, signal, context } = call;
  const { path, pattern: text } = splitAbsolute(input);
  const pattern = compilePattern("pattern", text, {
    dot: input.include_hidden ?? false,
    ignoreCase: input.case === "insensitive",
    bareMatchesAnywhere: false,
  });
  using scope = openDirectoryScope(state.jail, path, context);
  using selection = select(input, scope, { ...pattern, text }, state);
  const bounds = pageBounds(input, state);
  const count = bounds.offset + bounds.limit;
  const isByTime = input.sort !== "path";

  const parts = isByTime ? splitTree(scope.directory) : [WHOLE_TREE];
  const list = await listParts<string>(
    parts.map((part) => ({
      directory: scope.directory,
      args: [
        "--files",
        "--null",
        ...selection.flags,
        ...part.flags,
        ...(isByTime ? ["--sortr=modified"] : []),
      ],
      splitter: pathSplitter,
      pathOf: (file) => file,
      onIgnoreFile: selection.onIgnoreFile,
      accepts: (file) => part.accepts(file) && selection.accepts(file),
      isStreamed: false,
      keep: () => (isByTime ? firstToCome(count + TIE_MARGIN) : firstByPath(count, (file) => file)),
      signal,
    })),
  );
  const timedOut = timedOutOrThrow(signal);
  const ordered = isByTime ? newestFirst(list.parts, count, scope.directory) : list.entries;

  const trail = pageTrail(state.pages, context, "glob", input);
  for (const file of ordered.slice(0, bounds.offset)) trail.pass(file);
  const hasChanged = trail.begin();
  const room = pageRoom(bounds);
  const matches: FoundFile[] = [];
  let end = Math.min(bounds.offset, ordered.length);
  for (const file of ordered.slice(end, count)) {
    const found = lookAt(file);
    if (found !== undefined && !room.take(found)) break;
    if (found !== undefined) matches.push(found);
    trail.pass(file);
    end++;
  }
  const hasMore = end < list.total;
  if (hasMore) trail.end(end);
  const warnings = searchWarnings({ hasChanged, list, scope, selection, isEmpty: list.total === 0 });
  return {
    complaint: selection.ignoreComplaint(),
    matches,
    ...(list.unsteady.size === 0 && !timedOut && { total: list.total }),
    truncated: hasMore || timedOut,
    ...(hasMore && { next_offset: end }),
    ...(timedOut && { timed_out: true }),
    ...(warnings.length > 0 && { warnings }),
  };

  /** What the jail sees of a file; undefined where it is none, or not inside any more. */
  function lookAt(file: string): FoundFile | undefined {
    try {
      const { kind, sizeBytes, modifiedMs } = state.jail.lstat(requestBelow(scope, file));
      if (kind !== "file") return undefined;
      const modified = new Date(modifiedMs).toISOString();
      return { ...shownPath(scope.spelling + file), size_bytes: sizeBytes, modified };
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }
}
