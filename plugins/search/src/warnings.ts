// Words that several results share.

/** A page that does not continue the one before. */
export const CHANGED_PAGE =
  "The results before this page have changed since next_offset was given: some may be missing or come twice. Begin again with offset 0 for a consistent list.";

/** A search that could not be sure of everything. */
export const TREE_CHANGES =
  "Directories changed during the search; what could not be confirmed is left out and not counted. Search again.";

/** What an empty result may have missed. */
export function hiddenNote(includeHidden: boolean, respectIgnore: boolean): string[] {
  const left = [
    ...(includeHidden ? [] : ["hidden files (include_hidden: true)"]),
    ...(respectIgnore ? ["files named by ignore rules (respect_ignore: false)"] : []),
  ];
  return left.length === 0 ? [] : [`Not looked at: ${left.join(" and ")}.`];
}
