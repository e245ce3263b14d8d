// The main content of a page: readability's article, or the whole page where it finds none or loses too much (a page
// that is one table, a list of links, an index).
import { Readability } from "@mozilla/readability";
import JSDOMParser from "@mozilla/readability/JSDOMParser.js";
import type { CleanHtml } from "./clean-html.ts";

/** What readability reads; its types want all of a browser's document, of which it uses little. */
export type ReadableDocument = ConstructorParameters<typeof Readability>[0];

/** Pages with less text are shown whole. */
const MIN_PAGE_CHARACTERS = 300;
/** An article with less of the page's text, or less of its tables and code, is not the page. */
const MIN_SHARE = 0.25;
const MIN_BLOCK_SHARE = 0.5;

export interface MainContent {
  readonly html: string;
  readonly title: string;
  /** Some of the page is not in it. */
  readonly isPart: boolean;
}

/** Finds it; `clean` has been through `cleanHtml`. */
export function mainContent(clean: CleanHtml, url: string): MainContent {
  const whole = { html: clean.html, title: clean.title, isPart: false };
  if (clean.textLength < MIN_PAGE_CHARACTERS) return whole;
  const page = `<html><head><title>${textOf(clean.title)}</title></head><body>${clean.html}</body></html>`;
  const parser = new JSDOMParser();
  const document = parser.parse(page, url);
  // It stops at what it does not take; nothing of a page may be lost to that.
  if (parser.errorState !== "") return whole;
  const article = new Readability(document, {
    keepClasses: true,
    charThreshold: MIN_PAGE_CHARACTERS,
  }).parse();
  const html = article?.content ?? "";
  const length = article?.length ?? 0;
  if (length < clean.textLength * MIN_SHARE || losesBlocks(clean.html, html)) return whole;
  return { html, title: clean.title || (article?.title ?? ""), isPart: length < clean.textLength * 0.9 };
}

/** Whether most tables or code blocks of the page are missing in the article. */
function losesBlocks(page: string, article: string): boolean {
  return ["<tr", "<pre"].some((tag) => {
    const there = countOf(tag, page);
    return there >= 4 && countOf(tag, article) < there * MIN_BLOCK_SHARE;
  });
}

function countOf(tag: string, html: string): number {
  return html.split(tag).length - 1;
}

function textOf(title: string): string {
  return title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
