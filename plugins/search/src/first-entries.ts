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

/** The first `count` by path. Keeps at most twice as many and a few: then the last ones are dropped. */
export function firstByPath<T>(count: number, pathOf: (entry: T) => string): FirstEntries<T> {
  let kept: T[] = [];
  /** Of the paths that were kept at the last cut; what comes after it is none of the first. */
  let worst: string | undefined;
  const cut = (): readonly T[] => {
    kept.sort((a, b) => comparePaths(pathOf(a), pathOf(b)));
    kept = kept.slice(0, count);
    const last = kept[count - 1];
    worst = last === undefined ? undefined : pathOf(last);
    return kept;
  };
  return {
    add(entry) {
      if (worst !== undefined && comparePaths(pathOf(entry), worst) > 0) return;
      kept.push(entry);
      if (kept.length > 2 * count + 1_024) cut();
    },
    entries: cut,
  };
}
