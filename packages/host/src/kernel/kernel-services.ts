// The kernel's callbacks as this host answers them, for one plugin: KernelCallbackService with a default for every
// method (wire.md, kernel.v1). Spans and metrics are accepted and dropped.
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, GrpcError } from "@pluggableharness/grpc";
import type { Json } from "@pluggableharness/protocol";
import {
  type CountTokensRequestSchema,
  type CountTokensResultSchema,
  EventKind,
  LogLevel,
  type ProducerRefSchema,
} from "@pluggableharness/protocol/wire";
import type { CallbackHandlers } from "../callback-server.ts";
import type { LogRecord } from "../stderr-record.ts";
import { estimateTokens } from "./count-tokens.ts";
import type { EventBus } from "./event-bus.ts";
import { recordsOf } from "./log-entries.ts";
import { type RunSession, runSubSession } from "./run-session.ts";
import type { Session } from "./session.ts";

/** Counts tokens as a model would. */
export type CountTokens = (
  request: MessageShape<typeof CountTokensRequestSchema>,
  signal: AbortSignal,
) => Promise<MessageInitShape<typeof CountTokensResultSchema>>;

/** What all plugins of an agent share. */
export interface SharedServices {
  /** By its id. */
  readonly sessions: ReadonlyMap<string, Session>;
  readonly bus: EventBus;
  /** Runs sub-sessions; without it RunSession answers FAILED_PRECONDITION. */
  readonly runSession?: RunSession | undefined;
  /** Without it tokens are estimated: a quarter of the characters, rounded up, `exact` false. */
  readonly countTokens?: CountTokens | undefined;
}

/** The plugin that calls. */
export interface CallingPlugin {
  /** Its local name, the first segment of its topics. */
  readonly name: string;
  readonly onLog: (record: LogRecord) => void;
  /** Its own decoded configuration. */
  readonly config: () => { [key: string]: Json };
  /** Who it says it is; unknown before it was asked. */
  readonly producer: () => MessageShape<typeof ProducerRefSchema> | undefined;
}

/** The handlers of one plugin's callbacks. */
export function kernelServices(shared: SharedServices, plugin: CallingPlugin): CallbackHandlers {
  const session = (id: string): Session => {
    const found = shared.sessions.get(id);
    if (found === undefined)
      throw new GrpcError(Code.NOT_FOUND, `there is no session ${JSON.stringify(id.slice(0, 100))}`);
    return found;
  };
  return {
    log: (request) => {
      const records = recordsOf(request);
      if (records.length === 0) throw invalid("Log needs at least one entry");
      for (const record of records) plugin.onLog(record);
      return {};
    },
    getConfig: () => ({ config: plugin.config() }),
    getSession: ({ sessionId }) => session(sessionId).describe(),
    emit: ({ sessionId, kind, schemaVersion, payload }) => {
      const { events } = session(sessionId);
      if (kind === EventKind.UNSPECIFIED) throw invalid("Emit needs the kind of the event");
      const { id, sequence } = events.append({
        kind,
        schemaVersion,
        payload,
        producer: plugin.producer(),
      });
      return { id, sequence };
    },
    readEvents: async function* ({ sessionId, kinds, fromSequence, limit }, { signal }) {
      if (limit !== undefined && limit < 0) throw invalid(`a limit of ${limit} makes no sense`);
      for (const event of session(sessionId).events.read({ kinds, fromSequence, limit })) {
        if (signal.aborted) return;
        yield event;
      }
    },
    runSession: (request, { signal }) =>
      runSubSession(request, {
        parent: session(request.parentSessionId),
        provider: plugin.name,
        signal,
        run: shared.runSession,
      }),
    countTokens: (request, { signal }) =>
      shared.countTokens?.(request, signal) ?? { count: estimateTokens(request.content), exact: false },
    publish: (request) => ({ topic: shared.bus.publish(plugin.name, request) }),
    subscribe: ({ topicFilters }, { signal }) => shared.bus.subscribe(topicFilters, signal),
    getTelemetryConfig: () => ({ logLevel: LogLevel.INFO }),
    exportSpans: () => ({}),
    recordMetrics: () => ({}),
  };
}

function invalid(message: string): GrpcError {
  return new GrpcError(Code.INVALID_ARGUMENT, message);
}
