// How many tokens content has, where no model is there to ask: a quarter of its characters, rounded up, and said
// to be inexact (kernel.v1, CountTokens). Pure.
import type { MessageShape } from "@bufbuild/protobuf";
import type { ContentBlockSchema } from "@pluggableharness/protocol/wire";

type ContentBlock = MessageShape<typeof ContentBlockSchema>;

const CHARACTERS_PER_TOKEN = 4;

/** The estimate for some content. A byte of an image or a document counts as a character. */
export function estimateTokens(content: readonly ContentBlock[]): bigint {
  const characters = content.reduce((sum, block) => sum + charactersOf(block), 0);
  return BigInt(Math.ceil(characters / CHARACTERS_PER_TOKEN));
}

function charactersOf({ block }: ContentBlock): number {
  switch (block.case) {
    case "text":
      return lengthOf(block.value.text);
    case "thinking":
      return lengthOf(block.value.text);
    case "toolUse":
      return lengthOf(block.value.name) + lengthOf(JSON.stringify(block.value.arguments ?? {}));
    case "toolResult":
      return block.value.content.reduce((sum, nested) => sum + charactersOf(nested), 0);
    case "image":
    case "document":
    case "redactedThinking":
      return block.value.data.length;
    case undefined:
      return 0;
  }
}

/** In characters, not in the halves that some of them have in a string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
