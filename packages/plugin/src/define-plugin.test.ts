// What the types of the author's API accept and refuse; a line that stops being an error fails the type check.
import { describe, expect, expectTypeOf, it } from "vitest";
import { definePlugin, outputChunk, s, ui } from "./index.ts";

const plugin = definePlugin({
  name: "demo",
  version: "0.0.1",
  source: "github.com/pluggableharness/plugin-tool-demo",
  config: s.object({ depth: s.default(s.integer("Depth."), 3) }),
  open: (config) => {
    expectTypeOf(config).toEqualTypeOf<{ depth: number }>();
    return { depth: config.depth };
  },
});

const input = s.object({ path: s.string("Path."), limit: s.optional(s.integer("Limit.")) });
const output = s.object({ operation: s.literal("demo"), kind: s.enum(["a", "b"], "Kind.") });
const base = {
  name: "demo",
  description: "Demo.",
  input,
  output,
  idempotent: true,
  render: () => ui.text(""),
} as const;
const resource = {
  ...base,
  kind: "resource",
  risk: "low",
  concurrency: { safe: true, keyFields: ["path"] },
} as const;

describe("defineTool", () => {
  it("infers input, state and result", () => {
    const tool = plugin.defineTool({
      ...resource,
      async invoke(given, call) {
        expectTypeOf(given).toEqualTypeOf<{ path: string; limit?: number }>();
        expectTypeOf(call.state).toEqualTypeOf<{ depth: number }>();
        return { operation: "demo", kind: "a" };
      },
      render: ({ kind }) => {
        expectTypeOf(kind).toEqualTypeOf<"a" | "b">();
        return ui.text(kind);
      },
    });
    expect(tool).toMatchObject({ name: "demo", streaming: false, gate: { kind: "resource", risk: "low" } });
  });

  it("streams where invoke is a generator", () => {
    const tool = plugin.defineTool({
      ...resource,
      async *invoke() {
        yield outputChunk("stdout", new Uint8Array(1));
        return { operation: "demo", kind: "b" };
      },
    });
    expect(tool.streaming).toBe(true);
  });

  it("refuses what the protocol forbids, at compile time", () => {
    const invoke = async () => ({ operation: "demo", kind: "a" }) as const;
    // @ts-expect-error another operation's name
    plugin.defineTool({ ...resource, invoke: async () => ({ operation: "other", kind: "a" }) as const });
    // @ts-expect-error a result without its kind
    plugin.defineTool({ ...resource, invoke: async () => ({ operation: "demo" }) as const });
    // @ts-expect-error a word that the schema does not list
    plugin.defineTool({ ...resource, invoke: async () => ({ operation: "demo", kind: "c" }) as const });
    // @ts-expect-error a resource without risk
    plugin.defineTool({ ...base, kind: "resource", concurrency: { safe: false }, invoke });
    // @ts-expect-error a resource that only reads
    plugin.defineTool({ ...base, kind: "resource", risk: "read_only", concurrency: { safe: false }, invoke });
    // @ts-expect-error a key field that is no argument
    plugin.defineTool({ ...resource, concurrency: { safe: true, keyFields: ["file"] }, invoke });
    const nameless = s.object({ kind: s.string("K.") });
    // @ts-expect-error an output that does not name its operation
    plugin.defineTool({ ...resource, output: nameless, invoke: async () => ({ kind: "a" }) });
    expect(plugin.name).toBe("demo");
  });
});
