// The public list of @pluggableharness/host.
export {
  Agent,
  type AgentOperations,
  type AgentOptions,
  type AgentParts,
  type TurnOptions,
} from "./agent.ts";
export {
  type AgentFile,
  type AgentProfile,
  type HookBlock,
  loadAgentFile,
  type ProviderBlock,
  parseAgentFile,
  type RequiredProvider,
} from "./agent-hcl/agent-file.ts";
export { AgentFileError, type FileProblem } from "./agent-hcl/agent-file-error.ts";
export {
  installedPath,
  type LocatedProvider,
  locateProvider,
  type ProviderPlaces,
  thisPlatform,
} from "./agent-hcl/locate-provider.ts";
export { type LockedProvider, loadLockFile, lockFilePath } from "./agent-hcl/lock-file.ts";
export { absentProviderBody, decodeProviderBody } from "./agent-hcl/provider-config.ts";
export { isToolPattern, matchesToolPattern, toolSelection } from "./agent-hcl/tool-pattern.ts";
export { loadUserConfig, type UserConfig, userConfigPath } from "./agent-hcl/user-config.ts";
export type { Answer, Reply } from "./answer.ts";
export type { ApplyOptions } from "./apply.ts";
export type { Approval, Ask } from "./approve.ts";
export type { LaunchOptions } from "./bring-up.ts";
export type { ToolCallInit, ToolEvent } from "./call.ts";
export { CallLock, type Claim, type ConcurrencyRule, claimOf } from "./call-lock.ts";
export {
  type CallOperationOptions,
  type CallPlace,
  callOperation,
  DEFAULT_TIMEOUT_MS,
  type OperationCall,
  type StreamedEvent,
} from "./call-operation.ts";
export type { CallbackHandlers } from "./callback-server.ts";
export type { BreakerLimits } from "./circuit-breaker.ts";
export type { ExpectedPlugin, LocatedPlugin } from "./expected-plugin.ts";
export { EventBus } from "./kernel/event-bus.ts";
export { type EventFilter, EventLog } from "./kernel/event-log.ts";
export {
  type CallingPlugin,
  type CountTokens,
  kernelServices,
  type SharedServices,
} from "./kernel/kernel-services.ts";
export type { RunSession } from "./kernel/run-session.ts";
export { Session, type SessionOptions } from "./kernel/session.ts";
export { LineSplitter } from "./line-splitter.ts";
export { type AgentFiles, loadAgentParts } from "./load-agent.ts";
export type { Operation } from "./operation.ts";
export { type PaintOptions, paint } from "./paint.ts";
export { PluginProcess, type Producer, type RenderTree } from "./plugin-process.ts";
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
export { Provider, type ProviderOptions, type ReadyPlugin } from "./provider.ts";
export { type RetryOptions, type Try, withRetries } from "./retry.ts";
export { schemaNodeOf } from "./schema-node.ts";
export type { ProcessEnd } from "./spawn-plugin.ts";
export type { LogRecord, RecordLevel } from "./stderr-record.ts";
export {
  applyMessage,
  type CallOutcome,
  decisionName,
  type JsonObject,
  type PlanItem,
  type PlannedCall,
  type PlannedItem,
  planMessage,
  type RefusedCall,
  type TurnCall,
  type TurnOutcome,
  type TurnPlan,
} from "./turn.ts";
