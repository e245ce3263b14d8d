import { s } from "@pluggableharness/protocol";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { wireAttributes } from "./wire-schema.ts";

const config = s.object({
  roots: s.array(s.string("One."), "Roots."),
  depth: s.default(s.integer("Depth.", { min: 0 }), 20),
  hide: s.optional(s.array(s.string("One."))),
  limit: s.optional(s.integer("Limit.", { min: 1 })),
  quiet: s.optional(s.boolean("Quiet.")),
  env: s.optional(s.map("Variables.")),
  sandbox: s.optional(
    s.object({
      mode: s.default(s.enum(["none", "bubblewrap"], "Mode."), "none"),
      network: s.optional(s.boolean("Net.")),
    }),
  ),
}).node;

describe("readConfig", () => {
  it("applies defaults and takes out the zero values of absent attributes", () => {
    const zero = { roots: ["/"], hide: [], limit: 0, quiet: false, env: {}, sandbox: {} };
    expect(readConfig(config, zero)).toEqual({ roots: ["/"], depth: 20, quiet: false });
  });

  it("keeps a zero value that stands beside a default: it was written by hand", () => {
    expect(readConfig(config, { roots: ["/"], depth: 0 })).toEqual({ roots: ["/"], depth: 0 });
  });

  it("fills in the defaults of nested objects", () => {
    expect(readConfig(config, { roots: ["/"], sandbox: { network: true } })).toMatchObject({
      sandbox: { mode: "none", network: true },
    });
  });

  it.each([
    [{}, "roots: required array is missing"],
    [{ roots: "/" }, "roots: expected array, got string"],
    [{ roots: ["/"], limit: -1 }, "limit: expected whole number of at least 1, got number -1"],
    [{ roots: ["/"], sandbox: { mode: "docker" } }, 'sandbox.mode: expected one of "none", "bubblewrap"'],
    [{ roots: ["/"], env: { A: 1 } }, "env.A: expected string, got number 1"],
  ])("refuses %j", (given, words) => {
    expect(() => readConfig(config, given)).toThrow(words);
  });
});

describe("wireAttributes", () => {
  it("tells the kernel types, defaults and what is required", () => {
    expect(wireAttributes(config)).toMatchObject([
      { name: "roots", type: 4, required: true },
      { name: "depth", type: 2, required: false, defaultJson: "20" },
      { name: "hide", type: 4, required: false },
      { name: "limit", type: 2, required: false },
      { name: "quiet", type: 3, required: false },
      { name: "env", type: 6, required: false },
      {
        name: "sandbox",
        type: 7,
        objectAttributes: [
          { name: "mode", type: 1, defaultJson: '"none"' },
          { name: "network", type: 3 },
        ],
      },
    ]);
  });

  it("marks secrets, and refuses lists that agent.hcl cannot write", () => {
    expect(wireAttributes(s.object({ key: s.secret("Key.") }).node)).toMatchObject([
      { type: 1, required: true, sensitive: true },
    ]);
    expect(() => wireAttributes(s.object({ bad: s.array(s.boolean("B.")) }).node)).toThrow(
      "a list holds strings or numbers",
    );
  });
});
