// Configure: it takes what the recipe says, refuses what is missing, and says so in a status that a kernel can read
// (tool-protocol.txt, 'Configure'; semantics.md, 'Calls').
import { create, toBinary } from "@bufbuild/protobuf";
import type { GrpcError } from "@pluggableharness/grpc";
import { ConfigureRequestSchema, ToolService } from "@pluggableharness/protocol/wire";
import { type Check, fail, notReached, type Outcome, pass, passUnless } from "../check.ts";
import { QUICK_MS } from "../connected-plugin.ts";
import { kernelConfig } from "../kernel-config.ts";
import { pathOf, RawSession } from "../raw-call.ts";
import type { JsonObject } from "../recipe.ts";
import {
  codeProblems,
  errorInfoProblems,
  reasonOf,
  toolErrorProblems,
  trailerProblems,
} from "../status-problems.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "tool-protocol.txt, 'Configure'";
const STATUS = "semantics.md, 'Calls'";

/** Configurations in which one required attribute is missing. */
async function incomplete(trial: Trial): Promise<{ readonly name: string; readonly config: JsonObject }[]> {
  const attributes = (await trial.schema()).configSchema?.attributes ?? [];
  const good = await trial.config();
  return attributes
    .filter(({ required }) => required)
    .map(({ name }) => ({
      name,
      config: kernelConfig(
        Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)),
        attributes.filter((attribute) => attribute.name !== name),
      ),
    }));
}

/** Looks at the refusal of a configuration without its first required attribute. */
async function ofRefusal(trial: Trial, judge: (status: GrpcError) => Outcome): Promise<Outcome> {
  const [first] = await incomplete(trial);
  if (first === undefined) return notReached("no attribute of the configuration is required");
  const status = await (await trial.bare.get()).configure(first.config);
  return status === undefined ? notReached(`Configure without "${first.name}" was accepted`) : judge(status);
}

export const configureChecks: readonly Check[] = [
  {
    id: "configure.missing",
    rule: "Configure refuses a configuration in which a required attribute is missing.",
    source: SOURCE,
    run: async (trial) => {
      const cases = await incomplete(trial);
      if (cases.length === 0) return notReached("no attribute of the configuration is required");
      const plugin = await trial.bare.get();
      const accepted: string[] = [];
      for (const { name, config } of cases)
        if ((await plugin.configure(config)) === undefined) accepted.push(`it accepts one without "${name}"`);
      return passUnless(accepted, `refused ${cases.length}`);
    },
  },
  {
    id: "configure.reason",
    rule: "The refusal of an incomplete configuration is invalid_arguments, and its message names the attribute.",
    source: SOURCE,
    run: async (trial) => {
      const [first] = await incomplete(trial);
      if (first === undefined) return notReached("no attribute of the configuration is required");
      const status = await (await trial.bare.get()).configure(first.config);
      if (status === undefined) return notReached("it was accepted");
      const reason = reasonOf(status);
      if (reason !== undefined && reason !== "invalid_arguments") return fail(`the reason is ${reason}`);
      return status.message.includes(first.name)
        ? pass(status.message)
        : fail(`it says ${JSON.stringify(status.message)}`);
    },
  },
  {
    id: "configure.error-info",
    rule: "A refusal's status carries a google.rpc.ErrorInfo with the domain and the category in lower case.",
    source: STATUS,
    run: (trial) =>
      ofRefusal(trial, (status) => passUnless(errorInfoProblems(status), `reason ${reasonOf(status)}`)),
  },
  {
    id: "configure.tool-error",
    rule: "A refusal's status carries the ToolError too, with the same category.",
    source: STATUS,
    run: (trial) => ofRefusal(trial, (status) => passUnless(toolErrorProblems(status), "it does")),
  },
  {
    id: "configure.code",
    rule: "A refusal's gRPC code is the one of its category.",
    source: STATUS,
    run: (trial) =>
      ofRefusal(trial, (status) =>
        reasonOf(status) === undefined
          ? notReached("the status names no category")
          : passUnless(codeProblems(status), status.name),
      ),
  },
  {
    id: "configure.trailers",
    rule: "grpc-status and grpc-message say the same as grpc-status-details-bin.",
    source: "go-plugin-verified.md, section 9",
    run: async (trial) => {
      const [first] = await incomplete(trial);
      if (first === undefined) return notReached("no attribute of the configuration is required");
      using session = new RawSession((await trial.bare.get()).address);
      const message = toBinary(
        ConfigureRequestSchema,
        create(ConfigureRequestSchema, { config: { ...first.config } }),
      );
      const response = await session.call(pathOf(ToolService.method.configure), message, {
        waitMs: QUICK_MS,
      });
      if (response.trailers["grpc-status"] === "0") return notReached("it was accepted");
      if (response.trailers["grpc-status-details-bin"] === undefined)
        return notReached("the status has no details");
      return passUnless(trailerProblems(response), "they do");
    },
  },
  {
    id: "configure.empty",
    rule: "Configure with an empty struct is answered: accepted, or refused with a status that explains.",
    source: "semantics.md, 'Launch'",
    run: async (trial) => {
      await using plugin = await trial.connect();
      const attributes = (await trial.schema()).configSchema?.attributes ?? [];
      const status = await plugin.configure({});
      if (status === undefined) return pass("accepted");
      if (plugin.subject.end !== undefined) return fail("the plugin ended");
      if (!attributes.some(({ required }) => required))
        return fail(`nothing is required, and it says ${status.message}`);
      return status.message.trim() === "" ? fail("it was refused without a word") : pass(status.message);
    },
  },
];
