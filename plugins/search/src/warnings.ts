// What a result has to say beside its matches: what could not be read, what has changed, what was not looked at.
import type { EntryList } from "./entry-list.ts";
import { readComplaints, warningsOf } from "./ripgrep-failure.ts";
import type { Scope } from "./scope.ts";
import type { Selection } from "./selection.ts";
import { parentOf } from "./steady-directories.ts";

/** A page that does not continue the one before. */
export const CHANGED_PAGE =
  "The results before this page have changed since next_offset was given: some may be missing or come twice. Begin again with offset 0 for a consistent list.";

/** A search that could not be sure of everything. */
export const TREE_CHANGES =
  "Directories changed during the search, so the total is not known; search again for it.";

interface Search {
  /** The page does not continue the one before. */
  readonly hasChanged: boolean;
  /** Undefined where ripgrep was stopped, or has looked at one file only. */
  readonly list: ListEnd | undefined;
  readonly scope: Pick<Scope, "spelling">;
  readonly selection: Pick<Selection, "includeHidden" | "respectIgnore" | "isHidden">;
  readonly isEmpty: boolean;
}

interface ListEnd extends Pick<EntryList<unknown>, "end" | "unsteady"> {
  /** Undefined where one file was searched, which the jail has opened. */
  readonly steadiness: EntryList<unknown>["steadiness"] | undefined;
}

/** The warnings of a search. Throws where ripgrep's words are about the call itself. */
export function searchWarnings({ hasChanged, list, scope, selection, isEmpty }: Search): string[] {
  // ripgrep may have been led out where a directory has changed: what it could not read there is not told.
  const complaints = (list === undefined ? [] : readComplaints(list.end)).filter(
    ({ path }) => list?.steadiness?.isSteady(parentOf(path)) !== false && !selection.isHidden(path),
  );
  return [
    ...(hasChanged ? [CHANGED_PAGE] : []),
    ...((list?.unsteady.size ?? 0) > 0 ? [TREE_CHANGES] : []),
    ...warningsOf(complaints, (path) => scope.spelling + path),
    ...(isEmpty ? notLookedAt(selection) : []),
  ];
}

/** What an empty result may have missed. */
function notLookedAt({ includeHidden, respectIgnore }: Search["selection"]): string[] {
  const left = [
    ...(includeHidden ? [] : ["hidden files (include_hidden: true)"]),
    ...(respectIgnore ? ["files named by ignore rules (respect_ignore: false)"] : []),
  ];
  return left.length === 0 ? [] : [`Not looked at: ${left.join(" and ")}.`];
}
