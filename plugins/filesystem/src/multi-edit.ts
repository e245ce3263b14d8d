// multi_edit: several edits of one file, in order, all or none (catalog.md, 'multi_edit').
import { s } from "@pluggableharness/plugin";
import { makeChange } from "./change.ts";
import { changeProperties, changeResult, previewChange, renderChange } from "./change-view.ts";
import { planFileEdits } from "./plan-file-edits.ts";
import { filesystem } from "./plugin.ts";

export const multiEdit = filesystem.defineTool({
  name: "multi_edit",
  kind: "resource",
  risk: "moderate",
  idempotent: false,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["path"] },
  description:
    "Makes several edits of one text file in one step. They are applied in order, each to the text that the one before it left, by the rules of edit_file; if one of them fails, none is applied.",
  input: s.object({
    path: s.string("The file, absolute or relative to the working directory."),
    edits: s.array(
      s.object({
        old_string: s.string("The text to replace."),
        new_string: s.string("The text to put there, taken literally."),
        replace_all: s.optional(s.boolean("Replace every occurrence.")),
      }),
      "The edits, in order.",
    ),
  }),
  output: s.object({
    operation: s.literal("multi_edit"),
    edits: s.number("Edits applied."),
    replacements: s.number("Occurrences replaced by all of them."),
    ...changeProperties,
  }),

  preview(input, call) {
    return previewChange("Edit", input.path, () => planFileEdits(input.path, input.edits, call));
  },

  async invoke(input, call) {
    const plan = planFileEdits(input.path, input.edits, call);
    const made = makeChange(call.state, call.context.sessionId, plan);
    return {
      operation: "multi_edit",
      edits: input.edits.length,
      replacements: plan.replacements,
      ...changeResult(plan, made),
    };
  },

  render: (output) => renderChange("Edited", output),
});
