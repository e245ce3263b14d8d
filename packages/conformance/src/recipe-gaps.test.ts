import { create } from "@bufbuild/protobuf";
import { GetSchemaResponseSchema, SchemaType } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { parseRecipe } from "./recipe.ts";
import { recipeGaps } from "./recipe-gaps.ts";

const inputSchema = { type: SchemaType.OBJECT, properties: { path: { type: SchemaType.STRING } } };
const schema = create(GetSchemaResponseSchema, {
  tools: [
    { name: "read", inputSchema },
    { name: "follow", inputSchema, streaming: true },
    { name: "status", inputSchema: { type: SchemaType.OBJECT } },
  ],
});

describe("the gaps of a recipe", () => {
  it.each([
    ["nothing", {}, ["read has no call", "follow has no call", "status has no call"]],
    [
      "calls alone",
      { read: {}, follow: {}, status: {}, nothing: {} },
      [
        "there is no operation nothing",
        "read has no `invalid` arguments",
        "follow has no `invalid` arguments",
        "follow streams and has no `cancel`",
      ],
    ],
    [
      "everything",
      { read: { invalid: {} }, follow: { invalid: {}, cancel: { arguments: {} } }, status: {} },
      [],
    ],
    [
      "of a brief one nothing more",
      { read: { invalid: {} }, follow: { invalid: {}, brief: true }, status: {} },
      [],
    ],
  ])("are named for one that says %s", (_name, calls, gaps) => {
    expect(recipeGaps(schema, parseRecipe(JSON.stringify({ calls })))).toEqual(gaps);
  });
});
