// Keeps ignore files from telling what lies outside. ripgrep reads an ignore file through a link, and which files such
// rules leave out would tell what they say. So every ignore file that ripgrep opens is looked at through the jail, and
// where one is no file of the jail the search is done without ignore rules.
import { type Jail, JailError, printableName } from "@pluggableharness/jail";
import { requestBelow, type Scope } from "./scope.ts";

/** Read by ripgrep in every directory. */
export const IGNORE_NAMES = [".gitignore", ".ignore", ".rgignore"] as const;

/** The ignore files of one search. */
export interface IgnoreWatch {
  /** Notes an ignore file that ripgrep has opened. */
  note(path: string): void;
  /** Words about an ignore file that is none of the jail's; undefined where there is none. */
  complaint(): string | undefined;
}

/** Watches a search; the directory's own ignore files are known from the beginning. */
export function watchIgnoreFiles(jail: Jail, scope: Scope): IgnoreWatch {
  let foreign: string | undefined;
  const seen = new Set<string>();
  const note = (path: string): void => {
    if (foreign !== undefined || seen.has(path)) return;
    seen.add(path);
    if (!isOwn(jail, scope, path)) foreign = path;
  };
  for (const name of IGNORE_NAMES) note(name);
  return {
    note,
    complaint: () =>
      foreign &&
      `Ignore rules were not applied: ${printableName(scope.spelling + foreign)} is no file inside the allowed directories.`,
  };
}

/** True for a file inside, also through a link, and for nothing at all. */
function isOwn(jail: Jail, scope: Scope, path: string): boolean {
  try {
    // ripgrep waits for whoever writes to a FIFO; it reads nothing of a directory.
    return ["file", "directory"].includes(jail.stat(requestBelow(scope, path)).kind);
  } catch (error) {
    if (error instanceof JailError) return error.code === "not_found" && isMissing(jail, scope, path);
    throw error;
  }
}

/** A link that leads nowhere inside is not found either, but it is there. */
function isMissing(jail: Jail, scope: Scope, path: string): boolean {
  try {
    jail.lstat(requestBelow(scope, path));
    return false;
  } catch (error) {
    if (error instanceof JailError) return error.code === "not_found";
    throw error;
  }
}
