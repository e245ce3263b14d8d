// Keeps the first so many of a stream of entries: as they come, or in the order of their paths.
import { comparePaths } from "./path-order.ts";

export interface FirstEntries<T> {
  add(entry: T): void;
  entries(): readonly T[];
}

/** The first `count` as they come. */
export function firstToCome<T>(count: number): FirstEntries<T> {
  const kept: T[] = [];
  return { add: (entry) => void (kept.length < count && kept.push(entry)), entries: () => kept };
}

/** The first `count` by path; the rest is dropped whenever as many again have come. */
export function firstByPath<T>(count: number, pathOf: (entry: T) => string): FirstEntries<T> {
  let kept: T[] = [];
  const cut = (): readonly T[] => {
    kept.sort((a, b) => comparePaths(pathOf(a), pathOf(b)));
    kept = kept.slice(0, count);
    return kept;
  };
  return {
    add(entry) {
      kept.push(entry);
      if (kept.length > 2 * count + 1_024) cut();
    },
    entries: cut,
  };
}
