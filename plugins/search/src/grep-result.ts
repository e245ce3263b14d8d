// What grep answers: the events while it searches, and the result of either way of searching in one form.
import { type Call, partialResult, progress, type StreamEvent } from "@pluggableharness/plugin";
import type { Json } from "@pluggableharness/protocol";
import { inBatches } from "./batches.ts";
import { findCounts, type GrepFile } from "./find-counts.ts";
import { findMatches, MAX_BINARY_FILES } from "./find-matches.ts";
import type { GrepMatch } from "./grep-match.ts";
import { checkPattern, type GrepInput } from "./grep-plan.ts";
import { compilePattern } from "./path-pattern.ts";
import type { SearchState } from "./plugin.ts";
import { openScope, type Scope } from "./scope.ts";
import { type Selection, select } from "./selection.ts";
import { shownPath } from "./shown-path.ts";
import { timedOutOrThrow } from "./time-out.ts";
import { searchWarnings } from "./warnings.ts";

/** The result of grep but for its name and pattern. */
export interface GrepResult {
  mode: "content" | "files" | "count";
  matches: GrepMatch[];
  files?: GrepFile[];
  binary_files?: string[];
  total?: number;
  total_count?: number;
  truncated: boolean;
  next_offset?: number;
  timed_out?: boolean;
  warnings?: string[];
}

type Events = AsyncGenerator<StreamEvent, GrepResult>;

/** Searches. Throws ToolErrors. */
export async function* grepResult(input: GrepInput, call: Call<SearchState>): Events {
  checkPattern(input.pattern);
  const { complaint, ...result } = yield* searchOnce(input, call);
  if (complaint === undefined) return result;
  const again = yield* searchOnce({ ...input, respect_ignore: false }, call);
  const { complaint: _, warnings = [], ...rest } = again;
  return { ...rest, warnings: [complaint, ...warnings] };
}

/** The complaint is about an ignore file: the result is not to be given out then. */
async function* searchOnce(
  input: GrepInput,
  call: Call<SearchState>,
): AsyncGenerator<StreamEvent, GrepResult & { readonly complaint?: string | undefined }> {
  const text = input.glob;
  const pattern =
    text === undefined
      ? undefined
      : compilePattern("glob", text, {
          dot: input.include_hidden ?? false,
          ignoreCase: false,
          bareMatchesAnywhere: true,
        });
  using scope = openScope(call.state.jail, input.path, call.context);
  // Types are alternatives for ripgrep: names cannot be asked for on top of one.
  const wanted = pattern && { ...pattern, ...(input.type !== undefined && { fileNames: undefined }) };
  using selection = select(input, scope, wanted && { ...wanted, text: text ?? "" }, call.state, input.type);
  const isContent = (input.mode ?? "content") === "content";
  const result = yield* (isContent ? contentResult : countResult)(input, scope, selection, call);
  return { ...result, complaint: selection.ignoreComplaint() };
}

async function* contentResult(
  input: GrepInput,
  scope: Scope,
  selection: Selection,
  call: Call<SearchState>,
): Events {
  const found = yield* events("matches", findMatches(input, scope, selection, call));
  const timedOut = timedOutOrThrow(call.signal);
  const { matches, hasMore, isOrdered, binaries, end, steadiness } = found;
  const list = end && { end, steadiness, unsteady: new Set<string>() };
  const warnings = searchWarnings({ ...found, list, scope, selection, isEmpty: matches.length === 0 });
  const next = (input.offset ?? 0) + matches.length;
  const more = binaries.length - MAX_BINARY_FILES;
  if (more > 0) warnings.push("More binary files match than are named.");
  return {
    mode: "content",
    matches: [...matches],
    ...(binaries.length > 0 && {
      binary_files: binaries.slice(0, MAX_BINARY_FILES).map((path) => shownPath(scope.spelling + path).path),
    }),
    ...(!hasMore && !timedOut && { total: next }),
    truncated: hasMore || timedOut,
    ...((hasMore || timedOut) && isOrdered && { next_offset: next }),
    ...(timedOut && { timed_out: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

async function* countResult(
  input: GrepInput,
  scope: Scope,
  selection: Selection,
  call: Call<SearchState>,
): Events {
  const found = yield* events("files", findCounts(input, scope, selection, call));
  const timedOut = timedOutOrThrow(call.signal);
  const { files, total, totalCount, nextOffset, list } = found;
  const warnings = searchWarnings({ ...found, list, scope, selection, isEmpty: files.length === 0 });
  return {
    mode: input.mode === "count" ? "count" : "files",
    matches: [],
    files: [...files],
    ...(total !== undefined && { total }),
    ...(totalCount !== undefined && { total_count: totalCount }),
    truncated: nextOffset !== undefined || timedOut,
    ...(nextOffset !== undefined && { next_offset: nextOffset }),
    ...(timedOut && { timed_out: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Partial results from batches of results. */
async function* events<T, R>(
  field: "matches" | "files",
  source: AsyncGenerator<readonly T[], R>,
): AsyncGenerator<StreamEvent, R> {
  const batches = inBatches(source);
  let count = 0;
  try {
    for (;;) {
      const step = await batches.next();
      if (step.done === true) return step.value;
      count += step.value.length;
      if (step.value.length === 0) yield progress(`Searching; ${count} ${field} so far`);
      // Results are plain data: JSON.
      else yield partialResult({ operation: "grep", [field]: [...step.value] as Json[] });
    }
  } finally {
    await batches.return(undefined as R); // what it returns then is not looked at
  }
}
