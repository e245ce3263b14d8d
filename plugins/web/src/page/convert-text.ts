// A body that is text already: decoded, and small JSON laid out. Cheap, whatever it holds.
import type { ConvertedPage, ConvertJob } from "./convert-job.ts";
import { jsonText } from "./json-text.ts";
import { decodeText } from "./text-encoding.ts";
import { visiblePageText } from "./visible-page-text.ts";

/** Decodes a body and leaves its text as it is. Its text has no control characters that act. */
export function convertText({ bytes, charset, kind, format }: ConvertJob): ConvertedPage {
  const { text, note } = decodeText(bytes, charset, { isHtml: kind === "html" });
  return {
    title: "",
    text: visiblePageText(kind === "json" && format !== "raw" ? jsonText(text) : text),
    textNotes: note === undefined ? [] : [note],
  };
}
