// The flags by which glob and grep share one notion of hidden files and ignore rules. Only ignore files at or below
// the searched directory are read by ripgrep itself: none above it, no global one, no repository's exclude file.

/** What is left out of a search. */
export interface Selection {
  readonly includeHidden: boolean;
  readonly respectIgnore: boolean;
  /** Only files with one of these names; undefined for all. */
  readonly fileNames: readonly string[] | undefined;
  /** Repository directories (.git and their like) are searched as well. */
  readonly includeRepositories: boolean;
}

/** Directories of version control: a search for text or names is never after their objects. */
export const REPOSITORY_NAMES = [".git", ".hg", ".svn", ".jj"] as const;

/** Flags common to listing and searching. */
export function selectionFlags({
  includeHidden,
  respectIgnore,
  fileNames,
  includeRepositories,
}: Selection): string[] {
  return [
    "--no-config",
    "--color=never",
    ...(respectIgnore
      ? [
          "--no-require-git",
          "--no-ignore-parent",
          "--no-ignore-global",
          "--no-ignore-exclude",
          "--no-ignore-messages",
          // Says which ignore files are opened (ignore-watch.ts).
          "--debug",
        ]
      : ["--no-ignore"]),
    ...(includeHidden ? ["--hidden"] : []),
    ...(includeHidden && !includeRepositories ? REPOSITORY_NAMES.map((name) => `--glob=!${name}`) : []),
    // A type, not --glob: a glob that selects would also bring back what an ignore rule leaves out.
    ...(fileNames === undefined
      ? []
      : [...fileNames.map((name) => `--type-add=wanted:${name}`), "--type=wanted"]),
  ];
}
