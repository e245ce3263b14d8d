// A table of a render tree: in columns that fit the terminal, or, where there are too many columns for that, one
// cell a line. Takes time in proportion to its cells, however ragged the rows, and no line is too wide.
import { visibleText } from "@pluggableharness/protocol";
import type { Pen } from "./paint-style.ts";
import { fitToWidth, textWidth } from "./text-width.ts";

const GAP = "  ";
/** Narrower columns say nothing. */
const MIN_COLUMN = 4;

type Row = readonly string[];

/** The lines of a table, at most `columns` wide; `columns` is 10 or more. */
export function paintTable(headers: Row, rows: readonly Row[], columns: number, pen: Pen): string[] {
  const head = headers.map(cellText);
  const body = rows.map((row) => row.map(cellText));
  const natural = naturalWidths([head, ...body]);
  const available = columns - GAP.length * (natural.length - 1);
  if (sumCapped(natural, MIN_COLUMN) > available) return paintRecords(head, body, columns, pen);
  const widths = shrink(natural, available);
  const cells = (row: Row): string[] => widths.map((width, column) => fitToWidth(row[column] ?? "", width));
  const headLine = cells(head).map((cell) => pen.styled(cell, "bold"));
  return [
    ...(head.length === 0 ? [] : [headLine.join(GAP).trimEnd()]),
    ...body.map((row) => pen.styled(cells(row).join(GAP).trimEnd())),
  ];
}

/** A line for each cell, behind its header; a rule between the rows. */
function paintRecords(head: Row, body: readonly Row[], columns: number, pen: Pen): string[] {
  const cut = (text: string, width: number): string => fitToWidth(text, width).trimEnd();
  if (body.length === 0) return head.map((label) => pen.styled(cut(label, columns), "bold"));
  const longest = head.reduce((widest, label) => Math.max(widest, textWidth(label)), 0);
  const labelWidth = Math.min(longest, Math.floor(columns / 3));
  const cell = (text: string, column: number): string => {
    if (labelWidth === 0) return pen.styled(cut(text, columns));
    const label = pen.styled(fitToWidth(head[column] ?? "", labelWidth), "bold");
    return `${label}${GAP}${pen.styled(cut(text, columns - labelWidth - GAP.length))}`.trimEnd();
  };
  const rule = pen.styled("─".repeat(MIN_COLUMN), "dim");
  return body.flatMap((row, index) => [...(index === 0 ? [] : [rule]), ...row.map(cell)]);
}

function cellText(cell: string): string {
  return visibleText(cell.replaceAll("\n", "⏎").replaceAll("\t", "    "));
}

/** The widest cell of each column; as many columns as the longest row has. */
function naturalWidths(rows: readonly Row[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    }
  }
  return widths;
}

function sumCapped(widths: readonly number[], cap: number): number {
  return widths.reduce((sum, width) => sum + Math.min(width, cap), 0);
}

/** Cuts the widest columns to one width so that all fit; what is left over goes to the first of them. */
function shrink(natural: readonly number[], available: number): number[] {
  let cap = available;
  while (sumCapped(natural, cap) > available) cap--;
  let left = available - sumCapped(natural, cap);
  return natural.map((width) => (width > cap && left-- > 0 ? cap + 1 : Math.min(width, cap)));
}
