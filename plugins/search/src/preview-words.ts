// What a search would cover, in words.
import type { SearchState } from "./plugin.ts";

interface SelectionOptions {
  readonly include_hidden?: boolean;
  readonly respect_ignore?: boolean;
}

/** "in src, without hidden files and files named by ignore rules". */
export function selectionWords(
  path: string | undefined,
  { include_hidden = false, respect_ignore }: SelectionOptions,
  { respectIgnore }: Pick<SearchState, "respectIgnore">,
): string {
  const place = path === undefined || path === "" || path === "." ? "in the working directory" : `in ${path}`;
  const hidden = include_hidden ? [] : ["hidden files"];
  const ignored = (respect_ignore ?? respectIgnore) ? ["files named by ignore rules"] : [];
  const without = [...hidden, ...ignored];
  return without.length === 0
    ? `${place}, hidden and ignored files too`
    : `${place}, without ${without.join(" and ")}`;
}
