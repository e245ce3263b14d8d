// The part of a window that is nearest to a passage, by edit distance with a free start and end. The cost is
// the product of the two lengths, which the caller bounds.
import { characterFolds } from "./character-folds.ts";

/** The nearest part of the window and what it would cost to make the passage of it; 0 where they are equal. */
export interface Alignment {
  readonly start: number;
  readonly end: number;
  readonly cost: number;
}

const LOOKS_ALIKE = 1;
const BLANK = 2;
const CHARACTER = 8;

/** What it would cost to make the whole passage out of nothing: the yardstick for {@link Alignment.cost}. */
export function costOfAll(passage: string): number {
  let cost = 0;
  for (let i = 0; i < passage.length; i++) cost += costOf(passage.charCodeAt(i));
  return cost;
}

/** Aligns `passage` with `window`. */
export function align(passage: string, window: string): Alignment {
  const { shape } = characterFolds();
  const columns = window.length + 1;
  const added = Int32Array.from({ length: window.length }, (_, j) => costOf(window.charCodeAt(j)));
  let above = { costs: new Int32Array(columns), starts: Int32Array.from({ length: columns }, (_, j) => j) };
  let row = { costs: new Int32Array(columns), starts: new Int32Array(columns) };
  for (let i = 0; i < passage.length; i++) {
    const code = passage.charCodeAt(i);
    const codeShape = shape[code];
    const removed = costOf(code);
    row.costs[0] = (above.costs[0] ?? 0) + removed;
    row.starts[0] = 0;
    for (let j = 1; j < columns; j++) {
      const other = window.charCodeAt(j - 1);
      const change = other === code ? 0 : shape[other] === codeShape ? LOOKS_ALIKE : CHARACTER;
      let cost = (above.costs[j - 1] ?? 0) + change;
      let start = above.starts[j - 1] ?? 0;
      const without = (above.costs[j] ?? 0) + removed;
      if (without < cost) [cost, start] = [without, above.starts[j] ?? 0];
      const withOther = (row.costs[j - 1] ?? 0) + (added[j - 1] ?? 0);
      if (withOther < cost) [cost, start] = [withOther, row.starts[j - 1] ?? 0];
      row.costs[j] = cost;
      row.starts[j] = start;
    }
    [above, row] = [row, above];
  }
  const cost = above.costs.reduce((least, each) => Math.min(least, each));
  const end = above.costs.indexOf(cost);
  return { start: above.starts[end] ?? 0, end, cost };
}

/** Missing or additional blanks are a small matter, a missing letter or line is not. */
function costOf(code: number): number {
  const isBlank = code === 0x20 || code === 0x09 || code === 0x0d || code === 0xa0;
  return isBlank ? BLANK : CHARACTER;
}
