// The text of a PDF, page by page, each behind a mark with its number. pdf.js is loaded at the first one.

/** So many pages are read; a book is cut here and says so. */
const MAX_PAGES = 500;

export interface PdfText {
  readonly text: string;
  readonly title: string;
  readonly pages: number;
  readonly isCut: boolean;
}

/** Reads a PDF. Rejects where it is damaged or encrypted. */
export async function pdfText(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(bytes, {
    disableFontFace: true,
    verbosity: 0,
  });
  const read = Math.min(document.numPages, MAX_PAGES);
  const parts: string[] = [];
  for (let number = 1; number <= read; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    parts.push(`[page ${number} of ${document.numPages}]\n${lines.trim()}`);
    page.cleanup();
  }
  // A PDF whose facts are damaged is still one to be read.
  const info = await document.getMetadata().then(
    (metadata) => metadata.info,
    () => ({}),
  );
  const title = "Title" in info && typeof info.Title === "string" ? info.Title : "";
  return { text: parts.join("\n\n"), title, pages: document.numPages, isCut: read < document.numPages };
}
