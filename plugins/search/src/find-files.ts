// The work of glob: list, put in order, cut to the page, and look at each file of the page once more through the jail.
import { type Call, ToolError } from "@pluggableharness/plugin";
import { type FileList, type ListRequest, listFiles } from "./file-list.ts";
import { newestFirst } from "./newest-first.ts";
import { pageBounds, pageRoom } from "./page.ts";
import { OrderHash } from "./page-memory.ts";
import { compilePattern } from "./path-pattern.ts";
import type { SearchState } from "./plugin.ts";
import { readComplaints, warningsOf } from "./ripgrep-failure.ts";
import { selectionFlags } from "./ripgrep-flags.ts";
import { isGone, openDirectoryScope, requestBelow } from "./scope.ts";
import { type ShownPath, shownPath } from "./shown-path.ts";
import { splitAbsolute } from "./split-absolute.ts";
import { parentOf } from "./steady-directories.ts";
import { CHANGED_PAGE, hiddenNote, TREE_CHANGES } from "./warnings.ts";

/** The arguments of glob. */
export interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
  readonly include_hidden?: boolean;
  readonly respect_ignore?: boolean;
  readonly sort?: "modified" | "path";
  readonly case?: "sensitive" | "insensitive";
  readonly limit?: number;
  readonly offset?: number;
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
  const { state, signal, context } = call;
  const { path, pattern: text } = splitAbsolute(input);
  const ignoreCase = input.case === "insensitive";
  const includeHidden = input.include_hidden ?? false;
  const pattern = compilePattern("pattern", text, {
    dot: includeHidden,
    ignoreCase,
    bareMatchesAnywhere: false,
  });
  using scope = openDirectoryScope(state.jail, path, context);
  const respectIgnore = input.respect_ignore ?? state.respectIgnore;
  const sort = input.sort ?? "modified";
  const bounds = pageBounds(input, state);
  const keep = bounds.offset + bounds.limit;

  const isHiddenByRule = (file: string): boolean => state.jail.isHidden(requestBelow(scope, file).path);
  const list = await listSteadily({
    directory: scope.directory,
    flags: selectionFlags({
      includeHidden: includeHidden || pattern.namesHidden,
      respectIgnore,
      fileNames: pattern.fileNames,
      includeRepositories: /(^|\/)\.(git|hg|svn|jj)(\/|$)/.test(text),
    }),
    sort,
    accepts: state.hidesNames ? (file) => pattern.matches(file) && !isHiddenByRule(file) : pattern.matches,
    keep,
    signal,
  });
  const timedOut = signal.aborted && isTimeout(signal.reason);
  if (signal.aborted && !timedOut) throw signal.reason;

  const ordered = sort === "modified" ? newestFirst(list.paths, keep, scope.directory) : list.paths;
  const key = { sessionId: context.sessionId, call: JSON.stringify({ ...input, limit: 0, offset: 0 }) };
  const hash = new OrderHash();
  for (const file of ordered.slice(0, bounds.offset)) hash.add(file);
  const hasChanged =
    bounds.offset > 0 && state.pages.hasChanged({ ...key, offset: bounds.offset }, hash.value);

  const room = pageRoom(bounds);
  const matches: FoundFile[] = [];
  let end = bounds.offset;
  for (const file of ordered.slice(bounds.offset)) {
    if (end - bounds.offset >= bounds.limit) break;
    const found = lookAt(file);
    if (found !== undefined && !room.take(found)) break;
    if (found !== undefined) matches.push(found);
    hash.add(file);
    end++;
  }
  const truncated = end < list.total || timedOut;
  if (truncated && end < list.total) state.pages.note({ ...key, offset: end }, hash.value);
  const isSteady = list.unsteady.length === 0;
  const complaints = readComplaints(list.end).filter(
    ({ path: place }) =>
      list.steadiness.isSteady(parentOf(place)) && !(state.hidesNames && isHiddenByRule(place)),
  );
  const warnings = [
    ...(hasChanged ? [CHANGED_PAGE] : []),
    ...(isSteady ? [] : [TREE_CHANGES]),
    ...warningsOf(complaints, (place) => scope.spelling + place),
    ...(list.total === 0 ? hiddenNote(includeHidden, respectIgnore) : []),
  ];
  return {
    matches,
    ...(isSteady && !timedOut && { total: list.total }),
    truncated,
    ...(end < list.total && { next_offset: end }),
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

/** Lists, and once more where a directory changed while ripgrep ran: only what stood still can be counted. */
async function listSteadily(
  request: ListRequest,
): Promise<FileList & { readonly unsteady: readonly string[] }> {
  for (let attempt = 1; ; attempt++) {
    const list = await listFiles(request);
    const memo = new Map<string, boolean>();
    const unsteady = [...list.directories.keys()].filter((one) => !list.steadiness.isSteady(one, memo));
    if (unsteady.length === 0 || attempt === 2 || request.signal.aborted) return { ...list, unsteady };
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof ToolError && reason.category === "timeout";
}
