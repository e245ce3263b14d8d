// What a search would cover, in words.
import type { GrepInput } from "./grep-plan.ts";
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

/** A grep in one sentence. */
export function grepWords(input: GrepInput, state: Pick<SearchState, "respectIgnore">): string {
  const { pattern, path, glob, type, mode = "content", fixed_strings, word, multiline } = input;
  const verb = { content: "Show lines with", files: "Find files with", count: "Count lines with" }[mode];
  const kind = fixed_strings === true ? "the text" : "a match of";
  const how = [
    ...(word === true ? ["as a whole word"] : []),
    ...(multiline === true ? ["over lines"] : []),
    { smart: "minding case only for capitals", sensitive: "minding case", insensitive: "in any case" }[
      input.case ?? "smart"
    ],
  ];
  const which = [
    ...(glob === undefined ? [] : [`files that match ${glob}`]),
    ...(type === undefined ? [] : [`files of the type ${type}`]),
  ];
  const only = which.length === 0 ? "" : `, only ${which.join(" and ")}`;
  return `${verb} ${kind} ${pattern}, ${how.join(", ")}, ${selectionWords(path, input, state)}${only}`;
}
