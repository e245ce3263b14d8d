// The public list of @pluggableharness/host.
export type { LaunchOptions } from "./bring-up.ts";
export type { ToolCallInit, ToolEvent } from "./call.ts";
export { CallLock, type Claim, type ConcurrencyRule, claimOf } from "./call-lock.ts";
export type { CallbackHandlers } from "./callback-server.ts";
export { LineSplitter } from "./line-splitter.ts";
export { type PaintOptions, paint } from "./paint.ts";
export { PluginProcess } from "./plugin-process.ts";
export {
  type CallKind,
  type CallRisk,
  type Decision,
  type JudgedCall,
  Policy,
  type PolicyAction,
  type PolicyMatch,
  type PolicyRule,
} from "./policy.ts";
export { type RetryOptions, type Try, withRetries } from "./retry.ts";
export { schemaNodeOf } from "./schema-node.ts";
export type { ProcessEnd } from "./spawn-plugin.ts";
export type { LogRecord, RecordLevel } from "./stderr-record.ts";
