// The events of a search, file by file, and only those that are known to come from inside the jail and to have the
// right numbers. The events of a file wait for its end; then they are passed on, or, where a directory has changed
// meanwhile or the file holds zero bytes, the file is searched again through the descriptor that the jail opens.
import { type Jail, JailError, type JailFile } from "@pluggableharness/jail";
import { type RipgrepEnd, startRipgrep } from "./ripgrep-process.ts";
import { requestBelow, type Scope } from "./scope.ts";
import { type SearchEvent, searchEvents } from "./search-event.ts";
import { parentOf, type SteadyDirectories, watchSteadiness } from "./steady-directories.ts";
import { contentKind, hasZeros, zerosFlag } from "./zero-bytes.ts";

type Batches<End> = AsyncGenerator<readonly SearchEvent[], End>;

/** What both kinds of search need. */
interface Search {
  /** What to search for, and in which form to tell it. */
  readonly args: readonly string[];
  readonly maxColumns: number;
  readonly signal: AbortSignal;
}

/** The search of one file that is no binary. `path` is what its events are to name. */
export interface FileSearch extends Search {
  readonly file: JailFile;
  readonly path: string;
}

/** Events of one file, in batches as they come. */
export async function* fileEvents({ file, path, args, maxColumns, signal }: FileSearch): Batches<RipgrepEnd> {
  const all = ["--no-config", zerosFlag(file), ...args, "--", "-"];
  await using ripgrep = startRipgrep({ args: all, stdin: file.descriptor, signal });
  for await (const batch of searchEvents(ripgrep.output, maxColumns))
    yield batch.map((event) => ({ ...event, path }));
  return await ripgrep.end;
}

/** The search of a directory. */
export interface DirectorySearch extends Search {
  readonly jail: Jail;
  readonly scope: Extract<Scope, { kind: "directory" }>;
  /** Where: flags of selection and order. */
  readonly flags: readonly string[];
  readonly onIgnoreFile: (path: string) => void;
  readonly accepts: (path: string) => boolean;
  /** Told of a file that matches and is no text. */
  readonly onBinary: (path: string) => void;
  /** So many matches of one file may wait for its end. */
  readonly maxWaiting: number;
}

/** How a search of a directory ended. */
export interface DirectoryEnd {
  readonly end: RipgrepEnd;
  readonly steadiness: SteadyDirectories;
}

/** Events of a directory, in batches as they come. */
export async function* directoryEvents(search: DirectorySearch): Batches<DirectoryEnd> {
  const { scope, args, flags, maxColumns, onIgnoreFile, signal } = search;
  const steadiness = await watchSteadiness(scope.directory, signal);
  const cwd = scope.directory.pathForChild;
  const all = [...flags, "--binary", ...args, "--", "./"];
  await using ripgrep = startRipgrep({ args: all, cwd, onIgnoreFile, signal });
  let file: FileInWork | undefined;
  for await (const batch of searchEvents(ripgrep.output, maxColumns)) {
    // ripgrep had read all of this batch before: one answer for each directory holds for all of it.
    const memo = new Map<string, boolean>();
    let passed: SearchEvent[] = [];
    for (const event of batch) {
      if (event.kind === "begin") file = begin(event.path, search);
      if (file === undefined) continue;
      const isSteady = steadiness.isSteady(parentOf(event.path), memo);
      const isEnd = event.kind === "end";
      if (file.isChecked && isSteady) {
        if (event.kind === "match") file.given++;
        passed.push(event);
      } else if (!isEnd && isSteady && file.waiting.length < search.maxWaiting) {
        file.waiting.push(event);
      } else if (isSteady && !(isEnd ? event.hasZeros : await holdsZeros(search, event.path))) {
        const given = [...file.waiting, event];
        passed.push(...given);
        file = { path: file.path, waiting: [], isChecked: true, given: given.filter(isMatch).length };
      } else {
        yield passed;
        passed = [];
        yield* searchedAgain(search, event.path, file.given);
        file = undefined;
      }
    }
    if (passed.length > 0) yield passed;
  }
  // Time ran out within a file.
  if (file !== undefined && steadiness.isSteady(parentOf(file.path))) yield file.waiting;
  return { end: await ripgrep.end, steadiness };
}

/** A file whose events are coming. */
interface FileInWork {
  readonly path: string;
  readonly waiting: SearchEvent[];
  /** It has no zero bytes, so its events need not wait. */
  readonly isChecked: boolean;
  /** Matches that were passed on. */
  given: number;
}

/** Undefined where the file's events are not wanted. */
function begin(path: string, { jail, scope, accepts, onBinary }: DirectorySearch): FileInWork | undefined {
  if (!accepts(path)) return undefined;
  const kind = contentKind(jail, requestBelow(scope, path));
  if (kind === "binary") onBinary(path);
  return kind === "text" ? { path, waiting: [], isChecked: false, given: 0 } : undefined;
}

/** Asked where many matches wait; true also where the file cannot be opened, which searching it again will show. */
async function holdsZeros({ jail, scope, signal }: DirectorySearch, path: string): Promise<boolean> {
  using file = openBelow(jail, scope, path);
  return file === undefined || (await hasZeros(file, signal));
}

/** The events of a file after its first `given` matches; none where the jail does not open it. */
async function* searchedAgain(search: DirectorySearch, path: string, given: number): Batches<void> {
  using file = openBelow(search.jail, search.scope, path);
  if (file === undefined) return;
  let seen = 0;
  for await (const batch of fileEvents({ ...search, file, path })) {
    yield batch.filter((event) => {
      if (event.kind === "match") seen++;
      return event.kind === "match" ? seen > given : seen >= given;
    });
  }
}

function openBelow(jail: Jail, scope: Scope, path: string): JailFile | undefined {
  try {
    return jail.openFile(requestBelow(scope, path));
  } catch (error) {
    if (error instanceof JailError) return undefined;
    throw error;
  }
}

function isMatch({ kind }: SearchEvent): boolean {
  return kind === "match";
}
