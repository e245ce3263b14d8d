// What is wrong with a RenderTree, seen as a frontend sees it: a node it cannot paint, a diff that does not add up
// (wire.md, render.v1). Pure, and bounded in depth.
import type { MessageShape } from "@bufbuild/protobuf";
import {
  DiffLineOp,
  type RenderNodeSchema,
  type RenderTreeSchema,
  TextStyle,
} from "@pluggableharness/protocol/wire";

export type RenderTree = MessageShape<typeof RenderTreeSchema>;
type RenderNode = MessageShape<typeof RenderNodeSchema>;
type Diff = Extract<RenderNode["node"], { case: "diff" }>["value"];

/** A frontend gives up long before. */
const MAX_DEPTH = 500;
const textStyles: ReadonlySet<number> = new Set(Object.values(TextStyle));

/** Nodes that cannot be painted, with their place; empty for a good tree. */
export function nodeProblems(tree: RenderTree | undefined): string[] {
  if (tree?.root === undefined) return ["the tree has no root"];
  const problems: string[] = [];
  for (const { node, path } of nodesOf(tree.root)) {
    if (node.node.case === undefined) problems.push(`${path} is a node without content`);
    if (node.node.case === "text" && !textStyles.has(node.node.value.style ?? TextStyle.UNSPECIFIED))
      problems.push(`${path} has the unknown text style ${node.node.value.style}`);
  }
  return problems;
}

/** Diffs and tables whose parts do not fit together. */
export function shapeProblems(tree: RenderTree | undefined): string[] {
  if (tree?.root === undefined) return [];
  const problems: string[] = [];
  for (const { node, path } of nodesOf(tree.root)) {
    if (node.node.case === "diff") problems.push(...diffProblems(node.node.value, path));
    if (node.node.case === "table") {
      const { headers, rows } = node.node.value;
      const odd = rows.findIndex(({ cells }) => headers.length > 0 && cells.length !== headers.length);
      if (odd !== -1)
        problems.push(
          `row ${odd + 1} of ${path} has ${rows[odd]?.cells.length} cells under ${headers.length} headers`,
        );
    }
  }
  return problems;
}

function diffProblems({ hunks }: Diff, path: string): string[] {
  return hunks.flatMap((hunk, index) => {
    const count = (...ops: number[]): number => hunk.lines.filter(({ op }) => ops.includes(op)).length;
    const where = `hunk ${index + 1} of ${path}`;
    const old = count(DiffLineOp.CONTEXT, DiffLineOp.REMOVE);
    const fresh = count(DiffLineOp.CONTEXT, DiffLineOp.ADD);
    return [
      ...(count(DiffLineOp.CONTEXT, DiffLineOp.ADD, DiffLineOp.REMOVE) === hunk.lines.length
        ? []
        : [`${where} has a line without an operation`]),
      ...(old === hunk.oldLines ? [] : [`${where} says ${hunk.oldLines} old lines and has ${old}`]),
      ...(fresh === hunk.newLines ? [] : [`${where} says ${hunk.newLines} new lines and has ${fresh}`]),
    ];
  });
}

interface Placed {
  readonly node: RenderNode;
  readonly path: string;
}

/** Every node, with a stack of its own: a hostile tree must not exhaust ours. */
function* nodesOf(root: RenderNode): Generator<Placed> {
  const open: (Placed & { readonly depth: number })[] = [{ node: root, path: "root", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    if (next.depth === MAX_DEPTH) continue;
    for (const [index, child] of childrenOf(next.node).entries())
      open.push({ node: child, path: `${next.path}.${index}`, depth: next.depth + 1 });
  }
}

function childrenOf({ node }: RenderNode): readonly RenderNode[] {
  switch (node.case) {
    case "list":
      return node.value.items;
    case "group":
    case "collapsible":
      return node.value.children;
    default:
      return [];
  }
}
