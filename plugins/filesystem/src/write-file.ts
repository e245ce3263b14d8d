// write_file: create a file or replace its whole content, atomically (catalog.md, 'write_file').
import { s } from "@pluggableharness/plugin";
import { makeChange } from "./change.ts";
import { changeProperties, changeResult, previewChange, renderChange } from "./change-view.ts";
import { planWrite } from "./plan-write.ts";
import { filesystem } from "./plugin.ts";

export const writeFile = filesystem.defineTool({
  name: "write_file",
  kind: "resource",
  risk: "moderate",
  idempotent: true,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["path"] },
  description:
    "Creates a file, with the directories it needs, or replaces the whole content of one. An existing file must have been read in this session and be unchanged since, or its expected_sha256 be given; it keeps its mode and encoding. To change a part of a file use edit_file.",
  input: s.object({
    path: s.string("The file, absolute or relative to the working directory."),
    content: s.string("The whole new content."),
    expected_sha256: s.optional(s.string("Write only if the file has this SHA-256, in hex.")),
  }),
  output: s.object({
    operation: s.literal("write_file"),
    created: s.boolean("The file is new."),
    encoding: s.string("How the text is stored: utf-8, utf-16le, utf-16be or latin1."),
    has_bom: s.boolean("The file begins with a byte order mark."),
    ...changeProperties,
  }),

  preview(input, call) {
    return previewChange("Write", input.path, () => planWrite(input, call));
  },

  async invoke(input, call) {
    const plan = planWrite(input, call);
    const made = makeChange(call.state, call.context.sessionId, plan);
    return {
      operation: "write_file",
      created: plan.before === undefined,
      encoding: plan.content.encoding,
      has_bom: plan.content.hasBom,
      ...changeResult(plan, made),
    };
  },

  render: (output) => renderChange(output.created ? "Created" : "Wrote", output),
});
