// The public list of @pluggableharness/plugin: what an author of a tool plugin uses.
export { type Infer, type Json, type RenderNode, s, ToolError, ui } from "@pluggableharness/protocol";
export type { Call, CallContext, PreviewCall } from "./call.ts";
export {
  type Concurrency,
  definePlugin,
  type OpenContext,
  type Plugin,
  type PluginDefinition,
  type ResourceRisk,
  type Tool,
  type ToolDefinition,
} from "./define-plugin.ts";
export {
  exitStatus,
  type OutputStreamName,
  outputChunk,
  partialResult,
  progress,
  type StreamEvent,
} from "./event.ts";
export type { Kernel } from "./kernel.ts";
export type { LogFields, Logger, LogLevel } from "./logger.ts";
export { OutputQueue } from "./output-queue.ts";
export { serve } from "./serve.ts";
