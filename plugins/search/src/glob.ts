// glob: files by the pattern of their paths, newest first or by path, page by page (catalog.md, 'search').
import { s, ui } from "@pluggableharness/plugin";
import { findFiles } from "./find-files.ts";
import { search } from "./plugin.ts";
import { selectionWords } from "./preview-words.ts";
import { fileLink, resultLine } from "./result-view.ts";

export const glob = search.defineTool({
  name: "glob",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 60_000,
  concurrency: { safe: true },
  description:
    "Finds files by the pattern of their paths, newest first: src/**/*.ts, **/*.{js,jsx}, docs/[!_]*.md. A pattern without ** and / looks in the directory itself only. Links are not followed; hidden files need include_hidden or a written dot, such as .github/**.",
  input: s.object({
    pattern: s.string(
      "Glob relative to path: * ? [a-z] [!a] {a,b} {1..3} and ** for any number of directories; a leading ! finds everything else; \\ before a character that is meant literally.",
    ),
    path: s.optional(s.string("The directory to search; the working directory by default.")),
    include_hidden: s.optional(
      s.boolean("Also find files and directories whose names begin with a dot, but not .git."),
    ),
    respect_ignore: s.optional(s.boolean("Leave out what .gitignore and .ignore files name.")),
    sort: s.optional(s.enum(["modified", "path"], "Newest first, or by path; modified by default.")),
    case: s.optional(s.enum(["sensitive", "insensitive"], "Whether A is a; sensitive by default.")),
    limit: s.optional(s.integer("Files to return; max_results of the configuration by default", { min: 1 })),
    offset: s.optional(
      s.integer("Files to pass over, from next_offset of the page before", { min: 0, max: 1_000_000 }),
    ),
  }),
  output: s.object({
    operation: s.literal("glob"),
    pattern: s.string("As it was asked for."),
    matches: s.array(
      s.object({
        path: s.string("Begins as the path that was asked for; good for the next call."),
        escaped: s.optional(s.boolean("The path holds what cannot be shown; it is escaped and no path.")),
        size_bytes: s.number("Of the file."),
        modified: s.string("Last change of the content."),
      }),
    ),
    total: s.optional(s.number("Files in all; missing where not all could be counted.")),
    truncated: s.boolean("There are more files."),
    next_offset: s.optional(s.number("The offset of the next page.")),
    timed_out: s.optional(s.boolean("Time ran out; these are the files found until then.")),
    warnings: s.optional(s.array(s.string("One."), "What was not looked at, and what has changed.")),
  }),

  preview: ({ pattern, path, ...options }, { state }) =>
    ui.text(`Find files that match ${pattern} ${selectionWords(path, options, state)}`),

  // A star, though it yields nothing yet: the list is in order only when it is complete.
  async *invoke(input, call) {
    const found = await findFiles(input, call);
    yield* [];
    return { operation: "glob", pattern: input.pattern, ...found };
  },

  render({ pattern, matches, total, truncated, timed_out, warnings = [] }) {
    const count = total === undefined ? `${matches.length}` : `${matches.length} of ${total}`;
    return ui.group(
      resultLine(`${count} files match ${pattern}`, { truncated, timed_out }),
      ui.list(matches.map(({ path, escaped }) => fileLink(path, { escaped }))),
      ...warnings.map((words) => ui.text(words, "warning")),
    );
  },
});
