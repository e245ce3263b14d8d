import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { diffLineOps, textStyles, ui } from "./render.ts";
import { DiffLineOp, RenderNodeSchema, TextStyle } from "./wire.ts";

describe("render builders", () => {
  it("use the numbers of the generated enums", () => {
    for (const [name, value] of Object.entries(textStyles)) {
      expect(TextStyle[name.toUpperCase() as keyof typeof TextStyle]).toBe(value);
    }
    for (const [name, value] of Object.entries(diffLineOps)) {
      expect(DiffLineOp[name.toUpperCase() as keyof typeof DiffLineOp]).toBe(value);
    }
  });

  it("make every node type of the wire", () => {
    const nodes = [
      ui.text("t", "bold"),
      ui.codeBlock("x", "ts"),
      ui.diff([{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 0, lines: [{ op: "remove", text: "a" }] }]),
      ui.table(["h"], [["c"]]),
      ui.link("t", "file:///a"),
      ui.list([ui.text("i")], { ordered: true }),
      ui.group(ui.text("a"), ui.text("b")),
      ui.collapsible("s", [ui.text("c")], { collapsed: true }),
      ui.subSession("id", "s"),
      ui.action({
        id: "undo",
        label: "Undo",
        provider: "filesystem",
        toolName: "undo_edit",
        args: { path: "a" },
      }),
    ];
    const cases = nodes.map((node) => {
      const message = create(RenderNodeSchema, node);
      expect(toBinary(RenderNodeSchema, message).length).toBeGreaterThan(0);
      return message.node.case;
    });
    expect(cases).toEqual(
      Object.values(RenderNodeSchema.oneofs[0]?.fields ?? []).map((field) => field.localName),
    );
  });
});
