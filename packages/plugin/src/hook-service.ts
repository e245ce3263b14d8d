// HookSubscriberService for the one hook point plugins can subscribe to here: the end of a session, at which what
// was kept for it is dropped (wire.md, 'hook.v1'). Only observed: nothing that ends can be changed or vetoed.
import { Code, GrpcError, type Handlers } from "@pluggableharness/grpc";
import { HookMode, HookPoint, type HookSubscriberService } from "@pluggableharness/protocol/wire";
import type { PluginRuntime } from "./plugin-runtime.ts";

/** The hook points of a plugin, for GetSchema. */
export function supportedHookPoints<State>({ plugin }: PluginRuntime<State>): HookPoint[] {
  return plugin.sessionEnded === undefined ? [] : [HookPoint.SESSION_END];
}

/** The handler; undefined where the plugin subscribes to nothing, so that the service stays UNIMPLEMENTED. */
export function hookService<State>(
  runtime: PluginRuntime<State>,
): Handlers<typeof HookSubscriberService> | undefined {
  const { sessionEnded } = runtime.plugin;
  if (sessionEnded === undefined) return undefined;
  return {
    dispatchHook: ({ payload, mode }) => {
      if (payload?.payload.case !== "sessionEnd") {
        throw new GrpcError(
          Code.UNIMPLEMENTED,
          `${runtime.plugin.name} subscribes to the end of a session only`,
        );
      }
      if (mode !== HookMode.OBSERVE) {
        throw new GrpcError(Code.INVALID_ARGUMENT, "the end of a session can only be observed");
      }
      using lease = runtime.leaseStateIfAny();
      if (lease !== undefined) sessionEnded(lease.state, payload.payload.value.sessionId);
      return { outcome: { case: "observe", value: {} } };
    },
  };
}
