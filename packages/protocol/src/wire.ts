// Every generated message and service: the wire contract as code (wire.md, go-plugin.md). Slash commands repeat
// the names of the tool messages and are imported from their own file.
export * from "./gen/google/rpc/error_details_pb.ts";
// trace.v1 has a Status too.
export { type Status as RpcStatus, StatusSchema as RpcStatusSchema } from "./gen/google/rpc/status_pb.ts";
export * from "./gen/grpc/health/v1/health_pb.ts";
export * from "./gen/pluggableharness/common/v1/common_pb.ts";
export * from "./gen/pluggableharness/config/v1/config_pb.ts";
export * from "./gen/pluggableharness/content/v1/content_pb.ts";
export * from "./gen/pluggableharness/event/v1/event_pb.ts";
export * from "./gen/pluggableharness/hook/v1/hook_pb.ts";
export * from "./gen/pluggableharness/kernel/v1/kernel_pb.ts";
export * from "./gen/pluggableharness/log/v1/log_pb.ts";
export * from "./gen/pluggableharness/metric/v1/metric_pb.ts";
export * from "./gen/pluggableharness/model/v1/model_pb.ts";
export * from "./gen/pluggableharness/plan/v1/plan_pb.ts";
export * from "./gen/pluggableharness/render/v1/render_pb.ts";
export * from "./gen/pluggableharness/schema/v1/schema_pb.ts";
export * from "./gen/pluggableharness/session/v1/session_pb.ts";
export * from "./gen/pluggableharness/tool/v1/tool_pb.ts";
export * from "./gen/pluggableharness/trace/v1/trace_pb.ts";
export * from "./gen/plugin/grpc_broker_pb.ts";
export * from "./gen/plugin/grpc_controller_pb.ts";
export * from "./gen/plugin/grpc_stdio_pb.ts";
