// What a person sees of a result: a line that sums it up, and links to the files.
import { type RenderNode, ui } from "@pluggableharness/plugin";

/** The first line of a view. */
export function resultLine(
  words: string,
  { truncated, timed_out }: { readonly truncated: boolean; readonly timed_out?: boolean | undefined },
): RenderNode {
  const more = timed_out === true ? ", time ran out" : truncated ? ", there are more" : "";
  return ui.text(`${words}${more}`, "bold");
}

/** A link to a file, or its name where that is escaped and leads nowhere. */
export function fileLink(path: string, { escaped }: { readonly escaped?: boolean | undefined }): RenderNode {
  if (escaped === true) return ui.text(path, "code");
  const url = path.split("/").map(encodeURIComponent).join("/");
  return ui.link(path, path.startsWith("/") ? `file://${url}` : url);
}
