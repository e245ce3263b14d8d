// What answers the plugin's callbacks during a run: a kernel that is there, says little, and remembers who asked.
import { createServer } from "node:net";
import { join } from "node:path";
import { Code, GrpcError, GrpcServer, type Handlers, routes } from "@pluggableharness/grpc";
import { KernelCallbackService, SessionStatus } from "@pluggableharness/protocol/wire";
import type { JsonObject } from "./recipe.ts";

/** How the stand-in behaves. */
export type KernelMood = "answers" | "refuses";

/** A listening callback service. */
export interface StandInKernel extends Disposable {
  readonly path: string;
  /** Names of the methods that were called. */
  readonly called: string[];
}

const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** Calls remembered; a plugin may log without end. */
const MAX_CALLED = 1_000;

/** Serves callbacks on a socket in `folder`. */
export async function serveStandInKernel(
  folder: string,
  name: string,
  config: JsonObject,
  mood: KernelMood,
): Promise<StandInKernel> {
  const called: string[] = [];
  const server = new GrpcServer({
    routes: routes(KernelCallbackService, remembering(handlers(config, mood), called)),
    maxMessageBytes: MAX_REQUEST_BYTES,
  });
  const listener = createServer((socket) => server.accept(socket));
  const path = join(folder, name);
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(path, resolve);
  });
  return {
    path,
    called,
    [Symbol.dispose]: () => {
      listener.close();
      server.close();
    },
  };
}

function handlers(config: JsonObject, mood: KernelMood): Handlers<typeof KernelCallbackService> {
  if (mood === "refuses") {
    const refuse = (): never => {
      throw new GrpcError(Code.INTERNAL, "this kernel refuses every callback");
    };
    return { log: refuse, getConfig: refuse, emit: refuse, getTelemetryConfig: refuse };
  }
  return {
    log: () => ({}),
    getConfig: () => ({ config: { ...config } }),
    getTelemetryConfig: () => ({}),
    exportSpans: () => ({}),
    recordMetrics: () => ({}),
    emit: () => ({ id: "01J00000000000000000000000", sequence: 1n }),
    publish: ({ eventType }) => ({ topic: `conformance.${eventType}` }),
    countTokens: () => ({ count: 1n, exact: false }),
    getSession: ({ sessionId }) => ({
      info: { sessionId, profile: "default", status: SessionStatus.RUNNING },
      remainingDepth: 3,
      remainingCostBudgetUsd: 1,
    }),
    runSession: ({ prompt }) => ({
      sessionId: "child-session",
      status: SessionStatus.COMPLETED,
      finalMessage: { content: [{ block: { case: "text", value: { text: `done: ${prompt}` } } }] },
    }),
  };
}

/** The same handlers, with their names noted when they are called. */
function remembering(
  plain: Handlers<typeof KernelCallbackService>,
  called: string[],
): Handlers<typeof KernelCallbackService> {
  return new Proxy(plain, {
    get(target, name, receiver) {
      const handler: unknown = Reflect.get(target, name, receiver);
      if (typeof handler !== "function") return handler;
      return (...given: unknown[]): unknown => {
        if (called.length < MAX_CALLED) called.push(String(name));
        return Reflect.apply(handler, target, given);
      };
    },
  });
}
