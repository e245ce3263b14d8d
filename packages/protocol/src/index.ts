// The public list of @pluggableharness/protocol: pure helpers. The generated messages and services are in
// "@pluggableharness/protocol/wire", apart, so that describing a tool loads no protobuf runtime.
export { applyHunks } from "./diff/apply-hunks.ts";
export { type BoundedHunks, boundHunks, type DiffBounds } from "./diff/bound-hunks.ts";
export { diffLines } from "./diff/diff-lines.ts";
export { countChanges, type Hunk, type HunkLine } from "./diff/hunk.ts";
export { type HunkOptions, hunksFromSplices, type Splice } from "./diff/hunks-from-splices.ts";
export { countedFromLast, type OffsetText, splitLines, stringText } from "./diff/offset-text.ts";
export { parseUnified } from "./diff/parse-unified.ts";
export { formatUnified } from "./diff/unified.ts";
export { diffLineOps, type RenderNode, type TextStyleName, textStyles, ui } from "./render.ts";
export {
  type Infer,
  type ObjectNode,
  type ObjectSchema,
  type OptionalSchema,
  type Schema,
  type SchemaNode,
  s,
} from "./schema.ts";
export {
  categoryFromWire,
  ERROR_DOMAIN,
  type ErrorCategory,
  errorCategories,
  isToolError,
  type Json,
  type PluginErrorCategory,
  ToolError,
  type ToolErrorOptions,
} from "./tool-error.ts";
export { MAX_PROBLEMS, type Problem, problemsInWords, validate } from "./validate.ts";
export { visibleText } from "./visible-text.ts";
