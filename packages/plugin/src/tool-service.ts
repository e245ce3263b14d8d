// The six methods of ToolService over a plugin's functions.
import { create } from "@bufbuild/protobuf";
import type { Handlers } from "@pluggableharness/grpc";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { Category, GetSchemaResponseSchema, type ToolService } from "@pluggableharness/protocol/wire";
import { CallSignal } from "./call-signal.ts";
import { statusOf } from "./failure.ts";
import { supportedHookPoints } from "./hook-service.ts";
import { callContext, checkArguments, invokeTool } from "./invoke.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import { renderEvent } from "./render-event.ts";
import { renderTree } from "./render-tree.ts";
import { toolSchema } from "./tool-schema.ts";
import { wireAttributes } from "./wire-schema.ts";

/** The version of the tool category's protocol, as Describe reports it. */
const TOOL_PROTOCOL_VERSION = 1;

/** The handlers of ToolService. Failures other than Invoke's travel as a status (semantics.md, 'Calls'). */
export function toolService<State>(runtime: PluginRuntime<State>): Handlers<typeof ToolService> {
  const { plugin, tools } = runtime;
  const schema = create(GetSchemaResponseSchema, {
    tools: [...tools.values()].map(toolSchema),
    configSchema: { attributes: wireAttributes(plugin.config) },
    supportedHookPoints: supportedHookPoints(runtime),
  });
  const previews = [...tools.values()].some((tool) => tool.preview !== undefined);

  return {
    describe: () => ({
      producer: {
        name: plugin.name,
        version: plugin.version,
        source: plugin.source,
        category: Category.TOOL,
        protocolVersion: TOOL_PROTOCOL_VERSION,
      },
    }),

    getSchema: () => schema,

    configure: async ({ config }, { signal }) => {
      await runtime.configure(config ?? {}, signal).catch(rethrowAsStatus);
      return {};
    },

    async *invoke({ call }, context) {
      for await (const event of invokeTool(runtime, call, context)) yield { event: { event } };
    },

    ...(previews && {
      preview: async ({ call }, context) => {
        using callSignal = new CallSignal(context);
        try {
          const tool = runtime.tool(call?.toolName);
          if (tool.preview === undefined) {
            throw new GrpcError(Code.UNIMPLEMENTED, `${tool.name} has no preview`);
          }
          const input = checkArguments(tool, call?.arguments);
          using lease = runtime.leaseState();
          const { signal } = callSignal;
          const node = tool.preview(input, { state: lease.state, signal, context: callContext(call) });
          return { preview: renderTree(await orAborted(node, signal)) };
        } catch (thrown) {
          throw statusOf(thrown);
        }
      },
    }),

    render: ({ payload, schemaVersion }) => {
      try {
        return { tree: renderTree(renderEvent(tools, payload, schemaVersion)) };
      } catch (thrown) {
        throw statusOf(thrown);
      }
    },
  };
}

/** The value, or the signal's reason as soon as it fires: a preview that hangs must not hold its call. */
async function orAborted<T>(value: Promise<T> | T, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function rethrowAsStatus(thrown: unknown): never {
  throw statusOf(thrown);
}
