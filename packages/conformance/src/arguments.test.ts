import { s, validate } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { fittingArguments, ofWrongType, outsideEnum, withNull, withoutRequired } from "./arguments.ts";

const { node } = s.object({
  path: s.string("A path."),
  mode: s.enum(["fast", "slow"], "A mode."),
  sizes: s.array(s.number("A size.")),
  options: s.object({ deep: s.boolean("Deep.") }),
  limit: s.optional(s.number("A limit.")),
});
const good = fittingArguments(node);

describe("arguments made from a schema", () => {
  it("fit it, and hold what is required and nothing else", () => {
    expect(validate(node, good)).toEqual([]);
    expect(Object.keys(good)).toEqual(["path", "mode", "sizes", "options"]);
  });

  it.each([
    ["without a required one", withoutRequired, 4],
    ["of another type", ofWrongType, 5],
    ["with null", withNull, 5],
    ["outside an enum", outsideEnum, 1],
  ] as const)("%s do not fit it, each in one way", (_name, make, count) => {
    const misfits = make(node, good);
    expect(misfits).toHaveLength(count);
    for (const { how, args } of misfits) expect(validate(node, args), how).toHaveLength(1);
  });
});
