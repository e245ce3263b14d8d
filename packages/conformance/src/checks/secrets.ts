// What an operator gives the plugin in confidence stays there (tool-protocol.txt, 'Configure': a plugin MUST NOT echo
// a received secret).
import { create, type DescMessage, type MessageShape, toBinary, toJsonString } from "@bufbuild/protobuf";
import { GrpcError } from "@pluggableharness/grpc";
import type { Json } from "@pluggableharness/protocol";
import {
  AttrType,
  InvokeResponseSchema,
  PreviewResponseSchema,
  RenderResponseSchema,
  ToolResultEventSchema,
  ToolService,
} from "@pluggableharness/protocol/wire";
import { type Check, notReached, passUnless } from "../check.ts";
import { CALL_MS, type ConnectedPlugin, QUICK_MS } from "../connected-plugin.ts";
import { callables, plainCall, prepare, resultOf } from "../exchange.ts";
import type { ConfigAttribute } from "../kernel-config.ts";
import type { JsonObject } from "../recipe.ts";
import type { Trial } from "../trial.ts";

/** Long and strange enough to be nobody else's. */
const SECRET = "s3cret-Conformance-7f1b2c9d4e";

/** The configuration with the secret in every sensitive attribute; undefined where there is none. */
function withSecrets(config: JsonObject, attributes: readonly ConfigAttribute[]): JsonObject | undefined {
  let found = false;
  const fill = (object: JsonObject, known: readonly ConfigAttribute[]): JsonObject => {
    const filled: { [key: string]: Json } = { ...object };
    for (const { name, sensitive, type, objectAttributes } of known) {
      const value = filled[name];
      if (sensitive && type === AttrType.STRING) {
        filled[name] = SECRET;
        found = true;
      } else if (
        type === AttrType.OBJECT &&
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value)
      )
        filled[name] = { ...fill(value, objectAttributes) };
    }
    return filled;
  };
  const filled = fill(config, attributes);
  return found ? filled : undefined;
}

/** Collects the places in which the secret was seen. */
class Watch {
  readonly places: string[] = [];

  text(place: string, text: string): void {
    if (text.includes(SECRET)) this.places.push(`the secret is in ${place}`);
  }

  message<M extends DescMessage>(place: string, schema: M, message: MessageShape<M>): void {
    this.text(place, toJsonString(schema, message));
  }

  status(place: string, error: unknown): void {
    if (!(error instanceof GrpcError)) throw error;
    this.text(place, error.message);
    for (const detail of error.details)
      this.text(`${place} (details)`, Buffer.from(detail.value).toString("latin1"));
  }
}

/** Refusals of Configure that a careless author explains with what was given. */
async function watchConfigure(plugin: ConnectedPlugin, watch: Watch, secret: JsonObject): Promise<void> {
  for (const [name, value] of Object.entries(secret)) {
    const broken = {
      ...secret,
      [name]: typeof value === "string" && value !== SECRET ? "/no/such/place" : 7,
    };
    const status = await plugin.configure(value === SECRET ? { ...secret, [name]: [SECRET] } : broken);
    if (status !== undefined) watch.status(`the refusal of a wrong "${name}"`, status);
  }
}

async function watchCalls(trial: Trial, plugin: ConnectedPlugin, watch: Watch): Promise<void> {
  for (const callable of callables((await trial.schema()).tools, trial.recipe)) {
    const { name } = callable.tool;
    for (const args of [callable.args, {}]) {
      await prepare(plugin, callable, trial.scratch);
      const call = plugin.message({ ...plainCall(callable, trial.scratch), args });
      try {
        watch.message(
          `the preview of ${name}`,
          PreviewResponseSchema,
          await plugin.client.unary(ToolService.method.preview, { call }, { timeoutMs: QUICK_MS }),
        );
      } catch (error) {
        watch.status(`the refused preview of ${name}`, error);
      }
      const outcome = await plugin.invoke(plainCall({ ...callable, args }, trial.scratch), {
        timeoutMs: CALL_MS,
      });
      for (const event of outcome.events)
        watch.message(
          `an event of ${name}`,
          InvokeResponseSchema,
          create(InvokeResponseSchema, { event: { event } }),
        );
      const payload = resultOf(outcome.events);
      if (payload !== undefined) await watchRender(plugin, watch, name, payload);
    }
  }
}

async function watchRender(
  plugin: ConnectedPlugin,
  watch: Watch,
  name: string,
  payload: JsonObject,
): Promise<void> {
  const event = create(ToolResultEventSchema, {
    toolCallId: "call-1",
    outcome: { case: "result", value: { payload: { ...payload } } },
  });
  try {
    watch.message(
      `the rendered result of ${name}`,
      RenderResponseSchema,
      await plugin.client.unary(
        ToolService.method.render,
        { payload: toBinary(ToolResultEventSchema, event), schemaVersion: "1" },
        { timeoutMs: QUICK_MS },
      ),
    );
  } catch (error) {
    watch.status(`the refused render of ${name}`, error);
  }
}

export const secretChecks: readonly Check[] = [
  {
    id: "secrets.not-shown",
    rule: "A sensitive value of the configuration is in no event, preview, render, error or line of stderr.",
    source: "tool-protocol.txt, 'Configure'",
    run: async (trial) => {
      const attributes = (await trial.schema()).configSchema?.attributes ?? [];
      const secret = withSecrets(await trial.config(), attributes);
      if (secret === undefined) return notReached("the configuration has no sensitive attribute");
      const watch = new Watch();
      await using plugin = await trial.connect();
      await watchConfigure(plugin, watch, secret);
      const refusal = await plugin.configure(secret);
      if (refusal !== undefined) watch.status("the refusal of the configuration", refusal);
      await watchCalls(trial, plugin, watch);
      watch.text("its stderr", plugin.subject.stderrLines.join("\n"));
      return passUnless([...new Set(watch.places)], "it is nowhere");
    },
  },
];
