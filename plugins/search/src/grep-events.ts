// The events of a search, file by file, and only those that are known to come from inside the jail: what ripgrep read
// below a directory that has changed since is searched again, through the file that the jail opens.
import { type Jail, JailError, type JailFile } from "@pluggableharness/jail";
import { contentKind } from "./content-kind.ts";
import { recordSplitter } from "./record-splitter.ts";
import { type Ripgrep, type RipgrepEnd, startRipgrep } from "./ripgrep-process.ts";
import { requestBelow, type Scope } from "./scope.ts";
import { type SearchEvent, searchEvent } from "./search-event.ts";
import { parentOf, type SteadyDirectories, watchSteadiness } from "./steady-directories.ts";

type Batches = AsyncGenerator<readonly SearchEvent[], RipgrepEnd>;

/** The search of one file. `path` is what its events are to name. */
export interface FileSearch {
  readonly file: JailFile;
  readonly path: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

/** Events of one file, in batches as they come. */
export async function* fileEvents({ file, path, args, signal }: FileSearch): Batches {
  await using ripgrep = startRipgrep({
    args: ["--no-config", ...args, "--", "-"],
    stdin: file.descriptor,
    signal,
  });
  for await (const batch of batchesOf(ripgrep)) yield batch.map((event) => ({ ...event, path }));
  return await ripgrep.end;
}

/** The search of a directory. */
export interface DirectorySearch {
  readonly jail: Jail;
  readonly scope: Extract<Scope, { kind: "directory" }>;
  /** What to search for. */
  readonly args: readonly string[];
  /** Where: flags of selection and order. */
  readonly flags: readonly string[];
  readonly accepts: (path: string) => boolean;
  /** Told of a file that matches and is no text. */
  readonly onBinary: (path: string) => void;
  readonly signal: AbortSignal;
}

/** How a search of a directory ended. */
export interface DirectoryEnd {
  readonly end: RipgrepEnd;
  readonly steadiness: SteadyDirectories;
}

/** Events of a directory, in batches as they come. */
export async function* directoryEvents(
  search: DirectorySearch,
): AsyncGenerator<readonly SearchEvent[], DirectoryEnd> {
  const { jail, scope, args, flags, signal } = search;
  const steadiness = await watchSteadiness(scope.directory, signal);
  const cwd = scope.directory.pathForChild;
  await using ripgrep = startRipgrep({ args: [...flags, ...args, "--", "./"], cwd, signal });
  let isPassed = false;
  let given = 0;
  for await (const batch of batchesOf(ripgrep)) {
    // ripgrep had read all of this batch before: one answer for each directory holds for all of it.
    const memo = new Map<string, boolean>();
    let fit: SearchEvent[] = [];
    for (const event of batch) {
      if (event.kind === "begin") {
        isPassed = isWanted(event.path, search);
        given = 0;
      }
      if (!isPassed) continue;
      if (steadiness.isSteady(parentOf(event.path), memo)) {
        fit.push(event);
        if (event.kind === "match") given++;
        continue;
      }
      yield fit;
      fit = [];
      isPassed = false;
      yield* searchedAgain(jail, scope, { path: event.path, args, signal }, given);
    }
    if (fit.length > 0) yield fit;
  }
  return { end: await ripgrep.end, steadiness };
}

function isWanted(path: string, { jail, scope, accepts, onBinary }: DirectorySearch): boolean {
  if (!accepts(path)) return false;
  const kind = contentKind(jail, requestBelow(scope, path));
  if (kind === "binary") onBinary(path);
  return kind === "text";
}

/** The events of a file after its first `given` matches; none where the jail does not open it. */
async function* searchedAgain(
  jail: Jail,
  scope: Scope,
  search: Omit<FileSearch, "file">,
  given: number,
): AsyncGenerator<readonly SearchEvent[], void> {
  let file: JailFile;
  try {
    file = jail.openFile(requestBelow(scope, search.path));
  } catch (error) {
    if (error instanceof JailError) return;
    throw error;
  }
  using held = file;
  let seen = 0;
  for await (const batch of fileEvents({ ...search, file: held })) {
    yield batch.filter((event) => {
      if (event.kind === "match") seen++;
      return event.kind === "match" ? seen > given : seen >= given;
    });
  }
}

async function* batchesOf(ripgrep: Ripgrep): AsyncGenerator<readonly SearchEvent[], void> {
  const split = recordSplitter();
  for (let step = await ripgrep.output.next(); step.done !== true; step = await ripgrep.output.next()) {
    const events: SearchEvent[] = [];
    for (const record of split(step.value)) {
      const event = searchEvent(record);
      if (event !== undefined) events.push(event);
    }
    if (events.length > 0) yield events;
  }
}
