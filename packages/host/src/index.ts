// The public list of @pluggableharness/host.
export type { ToolCallInit, ToolEvent } from "./call.ts";
export type { CallbackHandlers } from "./callback-server.ts";
export { type PaintOptions, paint } from "./paint.ts";
export { type LaunchOptions, PluginProcess } from "./plugin-process.ts";
export type { ProcessEnd } from "./spawn-plugin.ts";
export type { LogRecord, RecordLevel } from "./stderr-record.ts";
