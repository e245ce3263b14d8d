import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type DiffLineOp,
  RenderNodeSchema,
  RenderTreeSchema,
  type TextStyle,
} from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { nodeProblems, shapeProblems } from "./tree-problems.ts";

type Node = MessageInitShape<typeof RenderNodeSchema>;

const text = (content: string): Node => ({ node: { case: "text", value: { content } } });
const group = (...children: Node[]): Node => ({ node: { case: "group", value: { children } } });
const tree = (root?: Node) => create(RenderTreeSchema, root === undefined ? {} : { root });
const diff = (oldLines: number, newLines: number, ops: DiffLineOp[]): Node => ({
  node: {
    case: "diff",
    value: {
      hunks: [{ oldStart: 1, oldLines, newStart: 1, newLines, lines: ops.map((op) => ({ op, text: "x" })) }],
    },
  },
});
const table = (...cells: string[]): Node => ({
  node: { case: "table", value: { headers: ["a", "b"], rows: [{ cells }] } },
});

describe("a render tree", () => {
  it.each([
    ["a good one", tree(group(text("a"), { node: { case: "list", value: { items: [text("b")] } } })), []],
    ["none", undefined, ["the tree has no root"]],
    ["one without a root", tree(), ["the tree has no root"]],
    ["a node without content", tree(group(text("a"), {})), ["root.1 is a node without content"]],
    [
      "an unknown style",
      tree({ node: { case: "text", value: { content: "a", style: 99 as TextStyle } } }),
      ["root has the unknown text style 99"],
    ],
  ])("is looked at node by node: %s", (_name, given, problems) => {
    expect(nodeProblems(given)).toEqual(problems);
  });

  it.each([
    ["a diff that adds up", diff(2, 2, [1, 3, 2]), []],
    ["too many old lines", diff(3, 1, [3, 2]), ["hunk 1 of root says 3 old lines and has 1"]],
    ["too few new lines", diff(1, 0, [3, 2]), ["hunk 1 of root says 0 new lines and has 1"]],
    ["a line without an operation", diff(0, 0, [0]), ["hunk 1 of root has a line without an operation"]],
    ["a table that adds up", table("1", "2"), []],
    ["a row with a cell too many", table("1", "2", "3"), ["row 1 of root has 3 cells under 2 headers"]],
  ])("has diffs and tables that add up, or not: %s", (_name, root, problems) => {
    expect(shapeProblems(tree(root))).toEqual(problems);
  });

  it("that is nested without end is looked at without exhausting the stack", () => {
    let node = create(RenderNodeSchema, text("deep"));
    for (let level = 0; level < 2_000; level++) node = create(RenderNodeSchema, group(node));
    expect(nodeProblems(tree(node))).toEqual([]);
  });
});
