// Who the plugin says it is (semantics.md, 'Launch'; tool-protocol.txt, 'Describe').
import type { MessageShape } from "@bufbuild/protobuf";
import { Category, type ProducerRefSchema, ToolService } from "@pluggableharness/protocol/wire";
import { type Check, fail, type Outcome, pass } from "../check.ts";
import { QUICK_MS } from "../connected-plugin.ts";
import type { Trial } from "../trial.ts";

type Producer = MessageShape<typeof ProducerRefSchema>;

const SOURCE = "tool-protocol.txt, 'Describe'";

async function producerOf(trial: Trial): Promise<Producer | undefined> {
  const { client } = await trial.bare.get();
  return (await client.unary(ToolService.method.describe, {}, { timeoutMs: QUICK_MS })).producer;
}

function field(name: string, rule: string, judge: (producer: Producer) => Outcome): Check {
  return {
    id: `describe.${name}`,
    rule,
    source: SOURCE,
    run: async (trial) => {
      const producer = await producerOf(trial);
      return producer === undefined ? fail("the answer has no producer") : judge(producer);
    },
  };
}

function filled(value: string): Outcome {
  return value.trim() === "" ? fail("it is empty") : pass(value);
}

export const describeChecks: readonly Check[] = [
  field("name", "Describe names the plugin.", ({ name }) => filled(name)),
  field("version", "Describe gives a version, as releases are tagged.", ({ version }) =>
    /^v?\d+\.\d+\.\d+([-+].+)?$/.test(version) ? pass(version) : fail(`it is ${JSON.stringify(version)}`),
  ),
  field("source", "Describe gives the source, a git forge's address.", ({ source }) => filled(source)),
  field("category", "Describe gives the category TOOL.", ({ category }) =>
    category === Category.TOOL ? pass("CATEGORY_TOOL") : fail(`it is ${category}`),
  ),
  field("protocol-version", "Describe gives version 1 of the category's protocol.", ({ protocolVersion }) =>
    protocolVersion === 1 ? pass("1") : fail(`it is ${protocolVersion}`),
  ),
];
