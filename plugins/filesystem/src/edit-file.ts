// edit_file: replace one passage of a file, byte-exact (catalog.md, 'edit_file').
import { s } from "@pluggableharness/plugin";
import { makeChange } from "./change.ts";
import { changeProperties, changeResult, previewChange, renderChange } from "./change-view.ts";
import { planFileEdits } from "./plan-file-edits.ts";
import { filesystem } from "./plugin.ts";

export const editFile = filesystem.defineTool({
  name: "edit_file",
  kind: "resource",
  risk: "moderate",
  idempotent: false,
  timeoutMs: 30_000,
  concurrency: { safe: true, keyFields: ["path"] },
  description:
    "Replaces a passage of a text file. old_string must match exactly, indentation included, and occur once, unless replace_all is set; a line ending in it also matches CRLF. Encoding, byte order mark and line endings are kept. Nothing is changed where the passage is not found.",
  input: s.object({
    path: s.string("The file, absolute or relative to the working directory."),
    old_string: s.string("The text to replace, without the line numbers that read_file shows."),
    new_string: s.string("The text to put there, taken literally."),
    replace_all: s.optional(s.boolean("Replace every occurrence.")),
    expected_replacements: s.optional(
      s.integer("Fail unless there are exactly this many occurrences", { min: 1 }),
    ),
  }),
  output: s.object({
    operation: s.literal("edit_file"),
    replacements: s.number("Occurrences replaced."),
    ...changeProperties,
  }),

  preview(input, call) {
    return previewChange("Edit", input.path, () => planFileEdits(input.path, [input], call));
  },

  async invoke(input, call) {
    const plan = planFileEdits(input.path, [input], call);
    const made = makeChange(call.state, call.context.sessionId, plan);
    return { operation: "edit_file", replacements: plan.replacements, ...changeResult(plan, made) };
  },

  render: (output) => renderChange("Edited", output),
});
