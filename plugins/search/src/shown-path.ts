// How a path is given out: as it is where it can be shown and used again, else escaped and marked, so that no name can
// act on a terminal or pass for another one.
import { printableName } from "@pluggableharness/jail";

/** A path of a result. */
export interface ShownPath {
  path: string;
  escaped?: boolean;
}

export function shownPath(path: string): ShownPath {
  const shown = printableName(path);
  // A backslash is doubled by printableName only so that escapes stay unique; alone it is an ordinary name.
  const isPlain = shown === path || shown === path.replaceAll("\\", "\\\\");
  return isPlain ? { path } : { path: shown, escaped: true };
}
