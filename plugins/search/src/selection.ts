// What a call looks at: the directory, and the flags and tests by which files are chosen; the same for glob and grep.
import type { Jail } from "@pluggableharness/jail";
import { ignoreAbove } from "./ignore-above.ts";
import { watchIgnoreFiles } from "./ignore-watch.ts";
import { hasHiddenName, type PathPattern } from "./path-pattern.ts";
import type { SearchState } from "./plugin.ts";
import { selectionFlags } from "./ripgrep-flags.ts";
import { requestBelow, type Scope } from "./scope.ts";

/** The arguments of both operations that choose files. */
export interface SelectionInput {
  readonly include_hidden?: boolean;
  readonly respect_ignore?: boolean;
}

/** Dispose it when ripgrep has ended. */
export interface Selection extends Disposable {
  readonly flags: readonly string[];
  readonly includeHidden: boolean;
  readonly respectIgnore: boolean;
  /** Whether a file that ripgrep found is one of those that were asked for. */
  readonly accepts: (path: string) => boolean;
  /** For every ripgrep of this selection. */
  readonly onIgnoreFile: (path: string) => void;
  /** Words about an ignore file that may have no say; the search is then to be done without ignore rules. */
  readonly ignoreComplaint: () => string | undefined;
  /** Whether a `hide` rule covers it. */
  readonly isHidden: (path: string) => boolean;
}

/** Chooses files below a directory; `pattern` is undefined for all. */
export function select(
  { include_hidden: includeHidden = false, respect_ignore }: SelectionInput,
  scope: Scope,
  pattern: (PathPattern & { readonly text: string }) | undefined,
  { jail, hidesNames, respectIgnore: byDefault }: SearchState,
  type?: string,
): Selection {
  const respectIgnore = respect_ignore ?? byDefault;
  const isHidden = hidesNames ? isHiddenIn(jail, scope) : () => false;
  // Without a pattern a name with a dot is left out here too: an ignore file can bring one back (`!.env`).
  const matches = pattern?.matches ?? (includeHidden ? () => true : (path: string) => !hasHiddenName(path));
  const watch = respectIgnore ? watchIgnoreFiles(jail, scope) : undefined;
  const above = respectIgnore ? ignoreAbove(jail, scope) : undefined;
  return {
    flags: [
      ...selectionFlags({
        includeHidden: includeHidden || pattern?.namesHidden === true,
        // A FIFO in the place of an ignore file would make ripgrep wait.
        respectIgnore: respectIgnore && watch?.complaint() === undefined,
        fileNames: pattern?.fileNames,
        includeRepositories: /(^|\/)\.(git|hg|svn|jj)(\/|$)/.test(pattern?.text ?? ""),
      }),
      ...(type === undefined ? [] : [`--type=${type}`]),
      ...(above?.flags ?? []),
    ],
    includeHidden,
    respectIgnore,
    onIgnoreFile: (path) => watch?.note(path),
    ignoreComplaint: () => watch?.complaint(),
    accepts: hidesNames ? (path) => matches(path) && !isHidden(path) : matches,
    isHidden,
    [Symbol.dispose]: () => above?.[Symbol.dispose](),
  };
}

function isHiddenIn(jail: Jail, scope: Scope): (path: string) => boolean {
  return (path) => jail.isHidden(requestBelow(scope, path).path);
}
