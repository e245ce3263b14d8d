// grep: lines by a regular expression, files that have them, or how many, page by page (catalog.md, 'search').
import { s, ui } from "@pluggableharness/plugin";
import { grepResult } from "./grep-result.ts";
import { grepView } from "./grep-view.ts";
import { search } from "./plugin.ts";
import { grepWords } from "./preview-words.ts";

const contextLines = s.array(
  s.object({ line: s.number("Its number."), text: s.string("Without its end of line.") }),
  "Lines around the match, each one once.",
);

const match = s.object({
  path: s.string("Begins as the path that was asked for; good for the next call."),
  escaped: s.optional(s.boolean("The path holds what cannot be shown; it is escaped and no path.")),
  line: s.number("Number of the line, from 1."),
  column: s.number("Where the first match begins, from 1, in characters of the whole line."),
  end_column: s.number("One past its last character."),
  end_line: s.optional(s.number("Where a match over several lines ends.")),
  text: s.string("The line without its end; around the match where the line is long."),
  cut_before: s.optional(s.number("Characters of the line before text.")),
  cut_after: s.optional(s.number("Characters of the line after text, or at least one.")),
  encoding: s.optional(s.literal("latin-1", "The line is no UTF-8 and was read as this.")),
  occurrences: s.optional(s.number("Matches on the line, where there are several.")),
  before: s.optional(contextLines),
  after: s.optional(contextLines),
});

export const grep = search.defineTool({
  name: "grep",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 60_000,
  concurrency: { safe: true },
  description:
    "Searches the text of files with ripgrep: the lines that match, the files that have some, or how many. Results are in the order of paths. Links are not followed; hidden files need include_hidden.",
  input: s.object({
    pattern: s.string(
      "Regular expression in ripgrep's syntax (Rust: no look-around, no back-references), or plain text with fixed_strings.",
    ),
    path: s.optional(s.string("A directory or a file; the working directory by default.")),
    glob: s.optional(
      s.string("Only files whose paths match: *.ts at any depth, src/**/*.ts, !*.min.js for all others."),
    ),
    type: s.optional(s.string("Only files of a type that ripgrep knows: ts, py, rust, md, json, …")),
    mode: s.optional(
      s.enum(["content", "files", "count"], "Lines, files, or lines counted by file; content by default."),
    ),
    case: s.optional(
      s.enum(
        ["smart", "sensitive", "insensitive"],
        "smart, the default, minds case where the pattern has a capital.",
      ),
    ),
    fixed_strings: s.optional(s.boolean("The pattern is plain text.")),
    multiline: s.optional(
      s.boolean("A match may go over lines; `.` still ends at a line, `(?s).` does not."),
    ),
    word: s.optional(s.boolean("Only whole words.")),
    before: s.optional(s.integer("Lines to show before each match", { min: 0, max: 50 })),
    after: s.optional(s.integer("Lines to show after each match", { min: 0, max: 50 })),
    include_hidden: s.optional(
      s.boolean("Also search files and directories whose names begin with a dot, but not .git."),
    ),
    respect_ignore: s.optional(s.boolean("Leave out what .gitignore and .ignore files name.")),
    limit: s.optional(
      s.integer("Results to return; max_results of the configuration by default", { min: 1 }),
    ),
    offset: s.optional(
      s.integer("Results to pass over, from next_offset of the page before", { min: 0, max: 1_000_000 }),
    ),
    max_columns: s.optional(
      s.integer("Characters of a line to show; 500 by default", { min: 20, max: 10_000 }),
    ),
  }),
  output: s.object({
    operation: s.literal("grep"),
    pattern: s.string("As it was asked for."),
    mode: s.enum(["content", "files", "count"], "What the results are."),
    matches: s.array(match, "In the mode content."),
    files: s.optional(
      s.array(
        s.object({
          path: s.string("Begins as the path that was asked for."),
          escaped: s.optional(s.boolean("The path is escaped.")),
          count: s.optional(s.number("Matching lines, in the mode count.")),
        }),
        "In the modes files and count.",
      ),
    ),
    binary_files: s.optional(s.array(s.string("One."), "Files that match but are no text.")),
    total: s.optional(s.number("Results in all, where that is known.")),
    total_count: s.optional(s.number("Matching lines of all files, in the mode count.")),
    truncated: s.boolean("There are more results."),
    next_offset: s.optional(s.number("The offset of the next page.")),
    timed_out: s.optional(s.boolean("Time ran out; these are results found until then.")),
    warnings: s.optional(s.array(s.string("One."), "What was not searched, and what has changed.")),
  }),

  preview: (input, { state }) => ui.text(grepWords(input, state)),

  async *invoke(input, call) {
    const found = grepResult(input, call);
    for (;;) {
      const step = await found.next();
      if (step.done === true) return { operation: "grep", pattern: input.pattern, ...step.value };
      yield step.value;
    }
  },

  render: (output) => grepView(output),
});
