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
import { cutToWidth, textWidth } from "./text-width.ts";

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
      : paintNode(tree.root, Math.max(MIN_COLUMNS, columns), { pen, unfold }, 0);
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
  if (depth > MAX_DEPTH) return ["…"];
  const children = (nodes: readonly RenderNode[], width: number): string[] =>
    nodes.flatMap((child) => paintNode(child, width, manner, depth + 1));
  switch (node.case) {
    case "text":
      return wrap(node.value.content, columns).map((line) =>
        pen.styled(line, ...(textStyles[node.value.style ?? 0] ?? [])),
      );
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
      return node.value.items.flatMap((item, index) => {
        const marker = node.value.ordered ? `${index + 1}. ` : "• ";
        return hang(marker, children([item], columns - textWidth(marker)));
      });
    case "group":
      return children(node.value.children, columns);
    case "collapsible": {
      const inner = children(node.value.children, columns - 2);
      const summary = oneLine(node.value.summary);
      if (node.value.collapsedByDefault && !unfold)
        return [pen.styled(`▸ ${summary} (${inner.length} lines)`, "bold")];
      return [pen.styled(`▾ ${summary}`, "bold"), ...hang("  ", inner)];
    }
    case "subSession":
      return [pen.styled(`⤷ ${oneLine(node.value.summary)} [session ${oneLine(node.value.sessionId)}]`)];
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

/** Puts a marker before the first line and blanks of its width before the others. */
function hang(marker: string, lines: readonly string[]): string[] {
  const blanks = " ".repeat(textWidth(marker));
  return lines.map((line, index) => (index === 0 ? marker : blanks) + line);
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
  const last = Math.max(
    0,
    ...hunks.map((hunk) => Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)),
  );
  const width = String(last).length;
  return hunks.flatMap((hunk, index) => {
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.map(({ op, text }) => {
      const [isOld, isNew] = [op !== DiffLineOp.ADD, op !== DiffLineOp.REMOVE];
      const numbers = [isOld ? String(oldLine++) : "", isNew ? String(newLine++) : ""].map((number) =>
        number.padStart(width),
      );
      const sign = isOld && isNew ? " " : isOld ? "-" : "+";
      const style: readonly Style[] = isOld && isNew ? [] : [isOld ? "red" : "green"];
      return `${pen.styled(numbers.join(" "), "dim")} ${pen.styled(`${sign} ${expandTabs(oneLine(text))}`, ...style)}`;
    });
    return index === 0 ? lines : [pen.styled("⋯", "dim"), ...lines];
  });
}

/** Lines of at most `columns`, broken between words where there is a place for it. */
function wrap(content: string, columns: number): string[] {
  return visibleText(content)
    .split("\n")
    .flatMap((line) => {
      const lines: string[] = [];
      let rest = expandTabs(line);
      while (textWidth(rest) > columns) {
        const [head, tail] = cutToWidth(rest, columns);
        const blank = head.lastIndexOf(" ");
        const isBreakable = blank > 0 && !tail.startsWith(" ");
        lines.push(isBreakable ? head.slice(0, blank) : head);
        rest = isBreakable ? head.slice(blank + 1) + tail : tail.replace(/^ /, "");
      }
      return [...lines, rest];
    });
}

/** Tab stops every four columns, as far as they can be known before the text is placed. */
function expandTabs(line: string): string {
  return line.replaceAll("\t", "    ");
}

/** Text of a node that has one line: a newline in it must not make another. */
function oneLine(text: string): string {
  return visibleText(text.replaceAll("\n", "⏎"));
}
