import { create } from "@bufbuild/protobuf";
import { AttrType, ConfigSchemaSchema } from "@pluggableharness/protocol/wire";
import { describe, expect, it } from "vitest";
import { guessedConfig, kernelConfig } from "./kernel-config.ts";

const { attributes } = create(ConfigSchemaSchema, {
  attributes: [
    { name: "roots", type: AttrType.LIST_STRING, required: true },
    { name: "text", type: AttrType.STRING },
    { name: "size", type: AttrType.NUMBER, defaultJson: "7" },
    { name: "broken", type: AttrType.NUMBER, defaultJson: "{" },
    { name: "on", type: AttrType.BOOL },
    { name: "numbers", type: AttrType.LIST_NUMBER },
    { name: "env", type: AttrType.MAP_STRING },
    {
      name: "search",
      type: AttrType.OBJECT,
      objectAttributes: [
        { name: "key", type: AttrType.STRING },
        { name: "count", type: AttrType.NUMBER, defaultJson: "10" },
      ],
    },
  ],
});

describe("the configuration as the kernel sends it", () => {
  it("has defaults and zero values in the place of what is absent", () => {
    expect(kernelConfig({ roots: ["/a"] }, attributes)).toEqual({
      roots: ["/a"],
      text: "",
      size: 7,
      broken: 0,
      on: false,
      numbers: [],
      env: {},
      search: { key: "", count: 10 },
    });
  });

  it("keeps what was given, and fills in the attributes of objects", () => {
    const config = kernelConfig({ roots: [], size: 1, search: { key: "k" }, more: true }, attributes);
    expect(config).toMatchObject({ roots: [], size: 1, search: { key: "k", count: 10 }, more: true });
  });

  it("leaves out what is required and missing", () => {
    expect(kernelConfig({}, attributes)).not.toHaveProperty("roots");
  });

  it("is guessed from the schema where nobody gives one: directories for what is required", () => {
    expect(guessedConfig(attributes, "/scratch")).toEqual({ roots: ["/scratch"] });
  });
});
