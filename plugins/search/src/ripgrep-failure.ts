// What ripgrep says on stderr: about single files, which become warnings, or about the call itself, which is an error
// with ripgrep's own explanation. Its words hold paths only as it was given them, below `./`.
import { decodeName, printableName } from "@pluggableharness/jail";
import { ToolError } from "@pluggableharness/plugin";
import type { RipgrepEnd } from "./ripgrep-process.ts";

/** More warnings than this are only counted. */
export const MAX_WARNINGS = 20;

/** One file or directory that could not be read. */
export interface Unreadable {
  /** Relative to the searched directory. */
  readonly path: string;
  readonly reason: string;
}

/** The files ripgrep complained about. Throws where the complaint is about the call. */
export function readComplaints({ code, stderr }: RipgrepEnd): readonly Unreadable[] {
  /** By path: two ripgreps may have met the same one. */
  const unreadable = new Map<string, Unreadable>();
  const other: string[] = [];
  for (const line of decodeName(stderr).split("\n")) {
    // One thread says it with more words than several do.
    const about =
      /^rg: \.\/(.*): IO error for operation on \.\/\1: (.*)$/.exec(line) ??
      /^rg: (?:\.\/(.*)|<stdin>|-): (.*)$/.exec(line);
    const path = about?.[1] ?? "";
    if (about !== null) unreadable.set(path, { path, reason: reasonOf(about[2] ?? "") });
    else if (line !== "") other.push(line);
  }
  if (code === 2 && unreadable.size === 0) throw failureOf(other.join("\n"));
  return [...unreadable.values()];
}

function failureOf(words: string): ToolError {
  const text = words.replace(/^rg: /, "");
  if (/regex|pattern|literal|type|glob|PCRE|UTF-8|compiled/i.test(text))
    return new ToolError("invalid_arguments", `ripgrep refuses the pattern, glob or type: ${text}`);
  return new ToolError("execution_failed", `ripgrep failed: ${printableName(text) || "it gave no reason"}`);
}

function reasonOf(words: string): string {
  const reason = /([A-Z][\w ]+) \(os error \d+\)/.exec(words)?.[1];
  return (reason ?? words).toLowerCase();
}

/** Warnings of a result: so many in words, the rest as a number. */
export function warningsOf(unreadable: readonly Unreadable[], spell: (path: string) => string): string[] {
  const shown = unreadable
    .slice(0, MAX_WARNINGS)
    .map(({ path, reason }) => `${printableName(spell(path))} could not be read: ${reason}`);
  const more = unreadable.length - shown.length;
  return more > 0 ? [...shown, `${more} more could not be read`] : shown;
}
