// A body as text: a PDF by its pages, HTML as Markdown or plain text. Runs in a worker thread, since a hostile page can
// take long (catalog.md, 'web_fetch').
import { cleanHtml } from "./clean-html.ts";
import type { ConvertedPage, ConvertJob } from "./convert-job.ts";
import { convertText } from "./convert-text.ts";
import { markdownOf } from "./markdown-writer.ts";
import { pdfText } from "./pdf-text.ts";
import { plainText } from "./plain-text.ts";
import { decodeText } from "./text-encoding.ts";
import { visiblePageText } from "./visible-page-text.ts";

const MAX_TITLE_CHARACTERS = 300;

/** Converts a body. Its text has no control characters that act. */
export async function convert(job: ConvertJob): Promise<ConvertedPage> {
  if (job.kind !== "pdf" && (job.kind !== "html" || job.format === "raw")) return convertText(job);
  const { title, text, textNotes } = job.kind === "pdf" ? await readPdf(job.bytes) : await readHtmlBody(job);
  return {
    title: visiblePageText(title).slice(0, MAX_TITLE_CHARACTERS).toWellFormed(),
    text: visiblePageText(text),
    textNotes,
  };
}

async function readPdf(bytes: Uint8Array): Promise<ConvertedPage> {
  const { title, text, pages, isCut } = await pdfText(bytes);
  return { title, text, textNotes: isCut ? [`a PDF of ${pages} pages, of which the first are shown`] : [] };
}

async function readHtmlBody(job: ConvertJob): Promise<ConvertedPage> {
  const { text: source, note } = decodeText(job.bytes, job.charset, { isHtml: true });
  const textNotes = note === undefined ? [] : [note];
  const page = job.isLastResort ? lastResort(source) : await readHtml(source, job);
  if (page.text.trim() !== "") return { ...page, textNotes: [...textNotes, ...page.textNotes] };
  const empty = `no_readable_text: the page has ${source.length} characters of HTML but no text; scripts probably make it, and none are run. format raw gives its source`;
  return { ...page, textNotes: [...textNotes, ...page.textNotes, empty] };
}

function lastResort(source: string): ConvertedPage {
  const { title, text } = plainText(source);
  return {
    title,
    text,
    textNotes: ["the page is too complex to be laid out; this is its plain text, without links"],
  };
}

async function readHtml(source: string, { url, format }: ConvertJob): Promise<ConvertedPage> {
  const clean = cleanHtml(source, url);
  if (clean.isCut) return lastResort(source);
  // The DOM, readability and turndown are loaded by the first page that needs them.
  const { mainContent } = await import("./main-content.ts");
  const { html, title, isPart } = mainContent(clean, url);
  const textNotes = [
    ...(isPart ? ["the main content of the page; format raw gives all of its source"] : []),
    ...(clean.isSimplified
      ? ["the page is very deep or large; some of its layout and links were left out"]
      : []),
    ...(clean.hiddenElements > 0 ? [`hidden text was left out (${clean.hiddenElements} elements)`] : []),
  ];
  if (format === "text") return { title, text: plainText(html).text, textNotes };

  return { title, text: markdownOf(html), textNotes };
}
