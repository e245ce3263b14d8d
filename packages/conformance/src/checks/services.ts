// The services of go-plugin beside the tool's: health, stdio, broker (go-plugin.md, 'Services on the plugin's
// listener'; go-plugin-verified.md, sections 4 and 5).
import { Code } from "@pluggableharness/grpc";
import { GRPCBroker, GRPCStdio, Health } from "@pluggableharness/protocol/wire";
import { within } from "../bounded-wait.ts";
import { type Check, fail, type Outcome, pass } from "../check.ts";
import { QUICK_MS, statusOf } from "../connected-plugin.ts";

const SERVICES = "go-plugin.md, 'Services on the plugin's listener'";

/** How long a stream that must stay open is watched. */
const WATCHED_MS = 150;

/** A stream that the plugin must neither end nor write to. */
async function staysOpen(stream: AsyncGenerator<unknown, void>): Promise<Outcome> {
  const next = stream.next().then(
    ({ done }) => (done === true ? "it was ended" : "a message came"),
    (error: unknown) => `it failed: ${error instanceof Error ? error.message : error}`,
  );
  const seen = await within(next, WATCHED_MS);
  return seen === undefined ? pass(`open and silent after ${WATCHED_MS} ms`) : fail(seen);
}

export const serviceChecks: readonly Check[] = [
  {
    id: "health.plugin",
    rule: "Health of the service `plugin` is SERVING.",
    source: SERVICES,
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const { status } = await client.unary(
        Health.method.check,
        { service: "plugin" },
        { timeoutMs: QUICK_MS },
      );
      return status === 1 ? pass("SERVING") : fail(`the status is ${status}`);
    },
  },
  {
    id: "health.unknown-service",
    rule: "Health of an unknown service is NOT_FOUND.",
    source: SERVICES,
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const status = await statusOf(
        client.unary(Health.method.check, { service: "nope" }, { timeoutMs: QUICK_MS }),
      );
      return status?.code === Code.NOT_FOUND ? pass("NOT_FOUND") : fail(status?.name ?? "it was answered");
    },
  },
  {
    id: "stdio.stays-open",
    rule: "StreamStdio stays open to the end, or answers UNIMPLEMENTED.",
    source: SERVICES,
    run: async (trial) => {
      const { client } = await trial.bare.get();
      const call = await client.open(GRPCStdio.method.streamStdio);
      call.send({}, { last: true });
      const outcome = await staysOpen(
        (async function* () {
          try {
            yield* call.responses();
          } catch (error) {
            if ((await statusOf(Promise.reject(error)))?.code !== Code.UNIMPLEMENTED) throw error;
            await new Promise((resolve) => setTimeout(resolve, WATCHED_MS + 50));
          }
        })(),
      );
      call.cancel();
      return outcome;
    },
  },
  {
    id: "broker.stays-open",
    rule: "StartStream stays open for the connection's life, whether or not a message comes.",
    source: "go-plugin-verified.md, section 5.1",
    run: async (trial) => {
      await using plugin = await trial.connectSilently();
      const call = await plugin.client.open(GRPCBroker.method.startStream);
      return await staysOpen(call.responses());
    },
  },
  {
    id: "broker.later",
    rule: "Calls are served before the broker's stream is opened.",
    source: "go-plugin-verified.md, section 4",
    run: async (trial) => {
      await using plugin = await trial.connectSilently();
      const status = await statusOf(
        plugin.client.unary(Health.method.check, { service: "plugin" }, { timeoutMs: QUICK_MS }),
      );
      return status === undefined ? pass("health is answered first") : fail(status.message);
    },
  },
  {
    id: "broker.odd-messages",
    rule: "Broker messages for other ids, unknown networks or with a knock are ignored.",
    source: "go-plugin-verified.md, section 5.2",
    run: async (trial) => {
      await using plugin = await trial.connect();
      plugin.broker?.send({ serviceId: 7, network: "unix", address: "/nowhere" });
      plugin.broker?.send({ serviceId: 1, network: "pigeon", address: "roof" });
      plugin.broker?.send({ serviceId: 9, network: "unix", address: "/nowhere", knock: { knock: true } });
      await within(plugin.subject.ended, WATCHED_MS);
      return (await plugin.answers())
        ? pass("Describe is answered afterwards")
        : fail("Describe is not answered afterwards");
    },
  },
];
