// A render tree as text, for tests: one node a line, links with where they lead.
import type { RenderNode } from "@pluggableharness/plugin";

export function textOf({ node }: RenderNode): string {
  switch (node?.case) {
    case "text":
    case "codeBlock":
      return node.value.content ?? "";
    case "link":
      return `${node.value.text} <${node.value.url}>`;
    case "list":
      return (node.value.items ?? []).map(textOf).join("\n");
    case "group":
      return (node.value.children ?? []).map(textOf).join("\n");
    default:
      return "";
  }
}
