// Builders for render trees, one per node type of render.v1. They make plain init shapes of the wire's own
// messages, so a plugin that only describes output loads no protobuf runtime at start.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Hunk } from "./diff/hunk.ts";
import type { RenderNodeSchema, TextStyle } from "./gen/pluggableharness/render/v1/render_pb.ts";
import type { Json } from "./tool-error.ts";

/** A node of a render tree, as given to `create(RenderNodeSchema, …)`. */
export type RenderNode = MessageInitShape<typeof RenderNodeSchema>;

/** The wire numbers of TextStyle; a test compares them with the generated code. */
export const textStyles = {
  normal: 1,
  bold: 2,
  italic: 3,
  code: 4,
  dim: 5,
  error: 6,
  warning: 7,
  success: 8,
} as const satisfies Record<string, TextStyle>;

/** The wire numbers of DiffLineOp; a test compares them with the generated code. */
export const diffLineOps = { context: 1, add: 2, remove: 3 } as const;

export type TextStyleName = keyof typeof textStyles;

/** Values of an action's arguments. */
type ActionArguments = { readonly [key: string]: Json };

/** Builders, named after the node types. */
export const ui = {
  text: (content: string, style: TextStyleName = "normal"): RenderNode => ({
    node: { case: "text", value: { content, style: textStyles[style] } },
  }),

  codeBlock: (content: string, language?: string): RenderNode => ({
    node: { case: "codeBlock", value: language === undefined ? { content } : { content, language } },
  }),

  /** A diff; a missing last newline has no place on the wire, say it in a text node beside it. */
  diff: (hunks: readonly Hunk[]): RenderNode => ({
    node: {
      case: "diff",
      value: {
        hunks: hunks.map(({ lines, ...position }) => ({
          ...position,
          lines: lines.map(({ op, text }) => ({ op: diffLineOps[op], text })),
        })),
      },
    },
  }),

  table: (headers: readonly string[], rows: readonly (readonly string[])[]): RenderNode => ({
    node: {
      case: "table",
      value: { headers: [...headers], rows: rows.map((cells) => ({ cells: [...cells] })) },
    },
  }),

  link: (text: string, url: string): RenderNode => ({ node: { case: "link", value: { text, url } } }),

  list: (items: readonly RenderNode[], { ordered = false } = {}): RenderNode => ({
    node: { case: "list", value: { items: [...items], ordered } },
  }),

  group: (...children: readonly RenderNode[]): RenderNode => ({
    node: { case: "group", value: { children: [...children] } },
  }),

  collapsible: (
    summary: string,
    children: readonly RenderNode[],
    { collapsed = false } = {},
  ): RenderNode => ({
    node: { case: "collapsible", value: { summary, children: [...children], collapsedByDefault: collapsed } },
  }),

  subSession: (sessionId: string, summary: string): RenderNode => ({
    node: { case: "subSession", value: { sessionId, summary } },
  }),

  /** A button that calls an operation of a provider with these arguments. */
  action: (action: {
    readonly id: string;
    readonly label: string;
    readonly provider: string;
    readonly toolName: string;
    readonly args: ActionArguments;
  }): RenderNode => ({ node: { case: "action", value: { ...action, args: { ...action.args } } } }),
};
