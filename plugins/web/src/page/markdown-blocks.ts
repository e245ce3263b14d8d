// Blocks of Markdown and how they are put together: paragraphs apart, items of one list close, quotes and items
// indented. Pure.

export interface Block {
  readonly text: string;
  /** The list that an item belongs to. */
  readonly list?: number;
  /** More than words: it cannot stand in a cell of a table. */
  readonly isLayout: boolean;
}

/** Blocks as one text. `isInItem`: a list under the words of an item follows them closely. */
export function joinBlocks(blocks: readonly Block[], { isInItem = false } = {}): string {
  let text = "";
  let before: Block | undefined;
  for (const block of blocks) {
    const isClose =
      block.list !== undefined && (block.list === before?.list || (isInItem && before?.list === undefined));
    if (before !== undefined) text += isClose ? "\n" : "\n\n";
    text += block.text;
    before = block;
  }
  return text;
}

/** A mark before the first line, and as much space before the others. */
export function indented(mark: string, text: string): string {
  return mark + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`);
}

export function quoted(text: string): string {
  return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

/** A fence longer than any in the code. */
export function codeBlock(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/^ {0,3}`{3,}/gm) ?? []).map((run) => run.trim().length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/^\n|\n$/g, "")}\n${fence}`;
}

export interface Cell {
  readonly blocks: readonly Block[];
  readonly isHeader: boolean;
  readonly columns: number;
}

const MAX_COLUMNS = 100;

/** A table of words as such; one that is there for the layout of a page as the blocks of its cells. */
export function tableBlocks(rows: readonly (readonly Cell[])[]): readonly Block[] {
  const cells = rows.flat();
  if (cells.some(({ blocks }) => blocks.some(({ isLayout }) => isLayout)))
    return cells.flatMap(({ blocks }) => blocks);
  if (cells.every(({ blocks }) => blocks.length === 0)) return [];
  const lines = rows.map((row) =>
    row.flatMap(({ blocks, columns }) => [
      joinBlocks(blocks)
        .replace(/\s*\n\s*/g, " ")
        .replace(/\|/g, "\\|"),
      ...Array.from({ length: columns - 1 }, () => ""),
    ]),
  );
  const width = Math.min(MAX_COLUMNS, Math.max(...lines.map(({ length }) => length)));
  const hasHeader = rows[0]?.some(({ isHeader }) => isHeader) === true;
  const [header = [], ...body] = hasHeader ? lines : [[], ...lines];
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
  const rule = `|${" --- |".repeat(width)}`;
  return [{ text: [line(header), rule, ...body.map(line)].join("\n"), isLayout: true }];
}
