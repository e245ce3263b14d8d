// A table of a render tree in columns that fit the terminal.
import { visibleText } from "@pluggableharness/protocol";
import type { Pen } from "./paint-style.ts";
import { fitToWidth, textWidth } from "./text-width.ts";

const GAP = "  ";
/** Narrower columns say nothing. */
const MIN_COLUMN = 4;

/** The lines of a table, at most `columns` wide where its columns can be cut that far. */
export function paintTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  pen: Pen,
): string[] {
  const cells = [headers, ...rows].map((row) => row.map(cellText));
  const count = Math.max(0, ...cells.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...cells.map((row) => textWidth(row[column] ?? ""))),
  );
  const widths = shrink(natural, columns - GAP.length * (count - 1));
  const line = (row: readonly string[]): string[] =>
    widths.map((width, column) => fitToWidth(row[column] ?? "", width));
  const [head = [], ...body] = cells;
  const headLine =
    headers.length === 0
      ? []
      : [
          line(head)
            .map((cell) => pen.styled(cell, "bold"))
            .join(GAP)
            .trimEnd(),
        ];
  return [...headLine, ...body.map((row) => pen.styled(line(row).join(GAP).trimEnd()))];
}

function cellText(cell: string): string {
  return visibleText(cell.replaceAll("\n", "⏎").replaceAll("\t", " "));
}

/** Takes from the widest columns until all fit. */
function shrink(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - available; over > 0; ) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= MIN_COLUMN) break;
    const second = Math.max(MIN_COLUMN, ...widths.filter((_, column) => column !== widest));
    const step = Math.min(over, Math.max(1, width - second));
    widths[widest] = width - step;
    over -= step;
  }
  return widths;
}
