// The known name that a mistyped one probably means. Pure.

/** The closest of the known names; undefined where none is close. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 3))
    ? best.candidate
    : undefined;
}

/** `unknown …; did you mean …`, or what there is to choose from. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const close = closestName(name, known);
  if (close !== undefined) return `unknown ${what} "${name}"; did you mean "${close}"?`;
  return known.length === 0
    ? `unknown ${what} "${name}"; there are none`
    : `unknown ${what} "${name}"; it is one of ${known.join(", ")}`;
}

/** Edits between two words; swapped neighbours count as one. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        at(rows, row - 1, column) + 1,
        (line[column - 1] ?? 0) + 1,
        at(rows, row - 1, column - 1) + cost,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, at(rows, row - 2, column - 2) + 1);
      line.push(least);
    }
    rows.push(line);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
