// A render tree as text for a terminal: every node type, in colour or plain, bounded in depth and lines. What a
// plugin put into the tree is never written as it is: a terminal would obey it.
import type { MessageShape } from "@bufbuild/protobuf";
import { visibleText } from "@pluggableharness/protocol";
import {
  DiffLineOp,
  type DiffNodeSchema,
  type RenderNodeSchema,
  type RenderTreeSchema,
  TextStyle,
} from "@pluggableharness/protocol/wire";
import { createPen, type Pen, type Style } from "./paint-style.ts";
import { paintTable } from "./paint-table.ts";
import { textWidth, wrapToWidth } from "./text-width.ts";

export interface PaintOptions {
  /** Columns to wrap text at; 100 by default, at least 20. */
  readonly columns?: number;
  /** Use colour; without it the output holds no escape at all. */
  readonly colour: boolean;
  /** Write links a terminal can follow; only with colour. */
  readonly hyperlinks?: boolean;
  /** Lines at the most; 2,000 by default. */
  readonly maxLines?: number;
  /** Show what a plugin folds by default: where there is nobody to unfold it. */
  readonly unfold?: boolean;
}

type RenderNode = MessageShape<typeof RenderNodeSchema>;

/** Nodes in each other; what is deeper is left out. */
const MAX_DEPTH = 64;
const MIN_COLUMNS = 20;
/** Where indentation would leave less than this, it is given up: no depth may squeeze text to nothing. */
const MIN_INDENTED = 10;

const textStyles: Readonly<Partial<Record<TextStyle, readonly Style[]>>> = {
  [TextStyle.BOLD]: ["bold"],
  [TextStyle.ITALIC]: ["italic"],
  [TextStyle.CODE]: ["cyan"],
  [TextStyle.DIM]: ["dim"],
  [TextStyle.ERROR]: ["red"],
  [TextStyle.WARNING]: ["yellow"],
  [TextStyle.SUCCESS]: ["green"],
};

/** The tree as lines of text, without a newline at the end. Never throws, whatever the tree. */
export function paint(tree: MessageShape<typeof RenderTreeSchema>, options: PaintOptions): string {
  const { columns = 100, colour, hyperlinks = false, maxLines = 2_000, unfold = false } = options;
  const pen = createPen({ colour, hyperlinks });
  const lines =
    tree.root === undefined
      ? [nothing(pen)]
      : paintNode(tree.root, Math.max(MIN_COLUMNS, columns || 0), { pen, unfold }, 0);
  if (lines.length <= maxLines) return lines.join("\n");
  return [...lines.slice(0, maxLines), pen.styled(`… ${lines.length - maxLines} more lines`, "dim")].join(
    "\n",
  );
}

/** How to paint, the same for every node of a tree. */
interface Manner {
  readonly pen: Pen;
  readonly unfold: boolean;
}

function paintNode({ node }: RenderNode, columns: number, manner: Manner, depth: number): string[] {
  const { pen, unfold } = manner;
  if (depth > MAX_DEPTH) return [pen.styled("… (too deep)", "dim")];
  const children = (nodes: readonly RenderNode[], width: number): string[] =>
    nodes.flatMap((child) => paintNode(child, width, manner, depth + 1));
  switch (node.case) {
    case "text":
      return visibleText(node.value.content)
        .split("\n")
        .flatMap((line) => wrapToWidth(expandTabs(line), columns))
        .map((line) => pen.styled(line, ...(textStyles[node.value.style ?? 0] ?? [])));
    case "codeBlock":
      return paintCode(node.value.content, node.value.language, pen);
    case "diff":
      return paintDiff(node.value, pen);
    case "table":
      return paintTable(
        node.value.headers,
        node.value.rows.map(({ cells }) => cells),
        columns,
        pen,
      );
    case "link":
      return [pen.link(oneLine(node.value.text), oneLine(node.value.url))];
    case "list":
      return node.value.items.flatMap((item, index) =>
        hang(node.value.ordered ? `${index + 1}. ` : "• ", columns, (width) => children([item], width)),
      );
    case "group":
      return children(node.value.children, columns);
    case "collapsible": {
      const inner = hang("  ", columns, (width) => children(node.value.children, width));
      const isFolded = node.value.collapsedByDefault && !unfold;
      const count = isFolded ? ` (${inner.length} lines)` : "";
      const summary = hang(isFolded ? "▸ " : "▾ ", columns, (width) =>
        wrapToWidth(oneLine(node.value.summary) + count, width),
      );
      return [...summary.map((line) => pen.styled(line, "bold")), ...(isFolded ? [] : inner)];
    }
    case "subSession": {
      const line = `${oneLine(node.value.summary)} [session ${oneLine(node.value.sessionId)}]`;
      return hang("⤷ ", columns, (width) => wrapToWidth(line, width)).map((part) => pen.styled(part));
    }
    case "action": {
      const { label, provider, toolName } = node.value;
      return [
        `${pen.styled(`[ ${oneLine(label)} ]`, "bold")} ${pen.styled(oneLine(`${provider}.${toolName}`), "dim")}`,
      ];
    }
    case undefined:
      return [nothing(pen)];
  }
}

function nothing(pen: Pen): string {
  return pen.styled("(nothing to show)", "dim");
}

/** Lines with a marker before the first and blanks of its width before the others; below it where too narrow. */
function hang(marker: string, columns: number, linesIn: (columns: number) => readonly string[]): string[] {
  const width = textWidth(marker);
  const bare = marker.trimEnd();
  if (columns - width < MIN_INDENTED) return [...(bare === "" ? [] : [bare]), ...linesIn(columns)];
  const lines = linesIn(columns - width);
  // An item that shows nothing still counts: the numbers of a list must not have gaps.
  if (lines.length === 0 && bare !== "") return [bare];
  return lines.map((line, index) => (index === 0 ? marker : " ".repeat(width)) + line);
}

/** Code is not wrapped: a broken line is no longer the code. */
function paintCode(content: string, language: string | undefined, pen: Pen): string[] {
  const label =
    language === undefined || language === "" ? [] : [pen.styled(`  ${oneLine(language)}`, "dim")];
  return [
    ...label,
    ...content.split("\n").map((line) => `${pen.styled("│", "dim")} ${pen.styled(expandTabs(line))}`),
  ];
}

function paintDiff({ hunks }: MessageShape<typeof DiffNodeSchema>, pen: Pen): string[] {
  // No spread into Math.max: a plugin can send more hunks than a call may have arguments.
  const width = hunks.reduce((widest, hunk) => {
    const last = Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines);
    return Math.max(widest, String(last).length);
  }, 1);
  return hunks.flatMap((hunk, index) => {
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.map(({ op, text }) => {
      const [isOld, isNew] = [op !== DiffLineOp.ADD, op !== DiffLineOp.REMOVE];
      const numbers = [isOld ? String(oldLine++) : "", isNew ? String(newLine++) : ""].map((number) =>
        number.padStart(width),
      );
      const sign = isOld && isNew ? " " : isOld ? "-" : "+";
      const style: readonly Style[] = isOld && isNew ? [] : [isOld ? "red" : "green"];
      return `${pen.styled(numbers.join(" "), "dim")} ${pen.styled(`${sign} ${oneLine(text)}`, ...style)}`;
    });
    return index === 0 ? lines : [pen.styled("⋯", "dim"), ...lines];
  });
}

/** Tab stops every four columns, as far as they can be known before the text is placed. */
function expandTabs(line: string): string {
  return line.replaceAll("\t", "    ");
}

/** Text of a node that has one line: a newline in it must not make another. */
function oneLine(text: string): string {
  return visibleText(expandTabs(text.replaceAll("\n", "⏎")));
}
