// The arguments of grep as ripgrep's. Pure: what the schema cannot say is checked here, what the pattern means only
// ripgrep knows.
import { Buffer } from "node:buffer";
import { ToolError } from "@pluggableharness/plugin";
import type { PageInput } from "./page.ts";
import type { SelectionInput } from "./selection.ts";

/** The arguments of grep. */
export interface GrepInput extends SelectionInput, PageInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly type?: string;
  readonly mode?: "content" | "files" | "count";
  readonly case?: "smart" | "sensitive" | "insensitive";
  readonly fixed_strings?: boolean;
  readonly multiline?: boolean;
  readonly word?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly max_columns?: number;
}

/** The system takes no argument much longer than this. */
export const MAX_PATTERN_BYTES = 100_000;

/** Throws invalid_arguments for a pattern that cannot be handed over. */
export function checkPattern(pattern: string): void {
  const refuse = (why: string): ToolError => new ToolError("invalid_arguments", `pattern: ${why}`);
  if (pattern === "") throw refuse("empty, which every line matches; to list files use glob");
  if (pattern.includes("\0")) throw refuse("holds a NUL; write \\x00 for one");
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES)
    throw refuse(`longer than ${MAX_PATTERN_BYTES} bytes; search for a part of it`);
}

/** What to search for; the same whatever is searched. */
export function patternArgs(input: GrepInput): readonly string[] {
  return [
    // A line ends with a line feed, and a carriage return before it is no part of the line.
    "--crlf",
    { smart: "--smart-case", sensitive: "--case-sensitive", insensitive: "--ignore-case" }[
      input.case ?? "smart"
    ],
    ...(input.fixed_strings === true ? ["--fixed-strings"] : []),
    ...(input.word === true ? ["--word-regexp"] : []),
    ...(input.multiline === true ? ["--multiline"] : []),
    `--regexp=${input.pattern}`,
  ];
}

/** Matches with their surroundings as records, at most `perFile` of each file. */
export function contentArgs({ before = 0, after = 0 }: GrepInput, perFile: number): readonly string[] {
  return [
    "--json",
    `--max-count=${perFile}`,
    ...(before > 0 ? [`--before-context=${before}`] : []),
    ...(after > 0 ? [`--after-context=${after}`] : []),
  ];
}
