// The services go-plugin expects beside the tool's: health, broker, stdio and controller (go-plugin-verified.md
// section 4).
import {
  Code,
  GrpcError,
  type HandlerContext,
  type Handlers,
  type Route,
  routes,
} from "@pluggableharness/grpc";
import {
  GRPCBroker,
  GRPCController,
  GRPCStdio,
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "@pluggableharness/protocol/wire";
import type { Broker } from "./broker.ts";

export interface GoPluginEvents {
  /** The last broker stream ended, which the host's does only with its connection. */
  readonly brokerEnded: () => void;
  /** The host asked the plugin to end; the answer is on its way. */
  readonly shutdownRequested: () => void;
}

/** The routes of all four. */
export function goPluginRoutes(broker: Broker, events: GoPluginEvents): Map<string, Route> {
  return new Map([
    ...routes(Health, health),
    ...routes(GRPCBroker, {
      // The plugin announces nothing; the stream is only read, and stays open as long as the host holds it.
      async *startStream(announcements) {
        try {
          await broker.follow(announcements);
        } finally {
          if (broker.hasEnded) events.brokerEnded();
        }
      },
    }),
    ...routes(GRPCStdio, {
      // Output goes to the log, not here: the kernel discards this stream. It is held open, as hosts expect.
      async *streamStdio(_request, context) {
        await untilAborted(context);
      },
    }),
    ...routes(GRPCController, {
      shutdown: () => {
        setImmediate(events.shutdownRequested);
        return {};
      },
    }),
  ]);
}

const health: Handlers<typeof Health> = {
  check: ({ service }) => ({ status: statusOf(service) }),
  async *watch({ service }, context) {
    yield { status: statusOf(service) };
    await untilAborted(context);
  },
};

function statusOf(service: string): ServingStatus {
  if (service === "" || service === "plugin") return ServingStatus.SERVING;
  throw new GrpcError(Code.NOT_FOUND, `there is no service ${JSON.stringify(service.slice(0, 100))} here`);
}

function untilAborted({ signal }: HandlerContext): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
