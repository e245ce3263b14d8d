// A plugin's render node as the wire's tree, with every text made safe to show: control characters, terminal
// escapes and bidirectional overrides become visible here once, for every plugin (catalog.md, 'Common rules').
import { create, type MessageShape } from "@bufbuild/protobuf";
import { type RenderNode, visibleText } from "@pluggableharness/protocol";
import { type RenderNodeSchema, RenderTreeSchema } from "@pluggableharness/protocol/wire";

/** The tree of a node. Arguments of actions stay as they are: they are sent, not shown. */
export function renderTree(root: RenderNode): MessageShape<typeof RenderTreeSchema> {
  const tree = create(RenderTreeSchema, { root });
  if (tree.root !== undefined) makeSafe(tree.root);
  return tree;
}

function makeSafe({ node }: MessageShape<typeof RenderNodeSchema>): void {
  switch (node.case) {
    case "text":
    case "codeBlock":
      node.value.content = visibleText(node.value.content);
      return;
    case "diff":
      for (const line of node.value.hunks.flatMap((hunk) => hunk.lines)) line.text = visibleText(line.text);
      return;
    case "table":
      node.value.headers = node.value.headers.map(visibleText);
      for (const row of node.value.rows) row.cells = row.cells.map(visibleText);
      return;
    case "link":
      node.value.text = visibleText(node.value.text);
      node.value.url = visibleText(node.value.url);
      return;
    case "list":
      node.value.items.forEach(makeSafe);
      return;
    case "group":
      node.value.children.forEach(makeSafe);
      return;
    case "collapsible":
      node.value.summary = visibleText(node.value.summary);
      node.value.children.forEach(makeSafe);
      return;
    case "subSession":
      node.value.summary = visibleText(node.value.summary);
      return;
    case "action":
      node.value.label = visibleText(node.value.label);
      return;
  }
}
