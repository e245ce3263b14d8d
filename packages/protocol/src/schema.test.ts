import { describe, expect, expectTypeOf, it } from "vitest";
import { type Infer, s } from "./schema.ts";

describe("the schema builder", () => {
  const edit = s.object({
    path: s.string("File."),
    replace_all: s.optional(s.boolean("All of them.")),
    mode: s.enum(["fast", "safe"], "How."),
    limit: s.optional(s.integer("Lines.", { min: 1 })),
    tags: s.array(s.string("Tag."), "Tags."),
  });

  it("infers required, optional, enumerated and listed properties", () => {
    expectTypeOf<Infer<typeof edit>>().toEqualTypeOf<{
      path: string;
      mode: "fast" | "safe";
      tags: string[];
      replace_all?: boolean;
      limit?: number;
    }>();
    expect(edit.node.required).toEqual(["path", "mode", "tags"]);
  });

  it("tells the model a range that the wire cannot carry", () => {
    expect(edit.node.properties["limit"]?.description).toBe("Lines. (whole number, at least 1)");
    expect(s.integer("N", { min: 1, max: 9 }).node.description).toBe("N (whole number from 1 to 9)");
    expect(s.integer("N", { max: 9 }).node.description).toBe("N (whole number, at most 9)");
    expect(s.integer("N").node.description).toBe("N (whole number)");
  });

  it("keeps defaults and secrets of a configuration", () => {
    const config = s.object({
      key: s.secret("Key."),
      depth: s.default(s.integer("Depth."), 20),
      env: s.map("Variables."),
    });
    expectTypeOf<Infer<typeof config>>().toEqualTypeOf<{
      key: string;
      depth: number;
      env: Record<string, string>;
    }>();
    expect(config.node.properties["key"]).toMatchObject({ type: "string", sensitive: true });
    expect(config.node.properties["depth"]).toMatchObject({ type: "number", defaultJson: "20" });
    expect(config.node.properties["env"]).toMatchObject({ type: "map" });
  });
});
