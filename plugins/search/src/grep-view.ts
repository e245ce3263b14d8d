// What a person sees of a grep: the matches of each file together, with the numbers of their lines. Nothing is marked
// within a line: what is shown is the file's text.
import { type RenderNode, ui } from "@pluggableharness/plugin";
import type { GrepResult } from "./grep-result.ts";
import { fileLink, resultLine } from "./result-view.ts";

type Viewed = Omit<GrepResult, "mode"> & { readonly pattern: string; readonly mode: string };

/** The view of a stored result. */
export function grepView(output: Viewed): RenderNode {
  const { pattern, matches, files, binary_files = [], warnings = [] } = output;
  return ui.group(
    resultLine(`${summary(output)} for ${pattern}`, output),
    ...(files === undefined || files.length === 0 ? [] : [filesView(files)]),
    ...byFile(matches).map(fileView),
    ...binary_files.map((path) => ui.text(`${path} matches but is no text`, "dim")),
    ...warnings.map((words) => ui.text(words, "warning")),
  );
}

function summary({ mode, matches, files = [], total, total_count }: Viewed): string {
  if (mode === "content") {
    const count = new Set(matches.map(({ path }) => path)).size;
    return `${counted(matches.length, "matching line")} in ${counted(count, "file")}`;
  }
  const lines = total_count === undefined ? "" : `, ${counted(total_count, "matching line")}`;
  return total === undefined || total === files.length
    ? `${counted(files.length, "file")}${lines}`
    : `${files.length} of ${counted(total, "file")}${lines}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function filesView(files: NonNullable<Viewed["files"]>): RenderNode {
  return ui.list(
    files.map((file) =>
      file.count === undefined
        ? fileLink(file.path, file)
        : ui.group(fileLink(file.path, file), ui.text(String(file.count), "dim")),
    ),
  );
}

type Match = Viewed["matches"][number];

function byFile(matches: readonly Match[]): readonly (readonly [Match, ...Match[]])[] {
  const groups = new Map<string, [Match, ...Match[]]>();
  for (const match of matches) {
    const group = groups.get(match.path);
    if (group === undefined) groups.set(match.path, [match]);
    else group.push(match);
  }
  return [...groups.values()];
}

function fileView(matches: readonly [Match, ...Match[]]): RenderNode {
  const [first] = matches;
  const lines = matches.flatMap((match) => [
    ...(match.before ?? []).map(({ line, text }) => `${line}-${text}`),
    ...matchLines(match),
    ...(match.after ?? []).map(({ line, text }) => `${line}-${text}`),
  ]);
  return ui.group(fileLink(first.path, first), ui.codeBlock(lines.join("\n")));
}

function matchLines({ line, text, cut_before, cut_after }: Match): string[] {
  const shown = `${cut_before === undefined ? "" : "…"}${text}${cut_after === undefined ? "" : "…"}`;
  return shown.split("\n").map((part, at) => `${line + at}:${part}`);
}
