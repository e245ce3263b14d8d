// HTML with only what the text of a page needs: absolute links, the attributes that readability and turndown look at,
// no scripts, no data: URLs, nothing hidden. Code keeps its text and loses its colours.

import { BLOCK, VOID } from "./element-sets.ts";
import type { Attributes } from "./html-tokens.ts";
import { type HtmlSink, type WalkSummary, walkHtml } from "./html-walk.ts";

/** More than this is not laid out: a DOM of it would not fit into the thread's memory. */
const MAX_CHARACTERS = 1_250_000;
/** Text that is escaped becomes a node of its own for each piece. */
const MAX_ESCAPED_PIECES = 50_000;
const KEPT = new Set(
  "id class role itemprop rel lang dir colspan rowspan start type checked datetime alt title".split(" "),
);
const MAX_KEPT_CHARACTERS = 300;
/** The frame of a document, which its reader makes anew. */
const OUTER = new Set(["html", "body"]);

export interface CleanHtml extends WalkSummary {
  readonly html: string;
  /** Characters of text in it. */
  readonly textLength: number;
  /** There was more than can be laid out; `html` is not all of it. */
  readonly isCut: boolean;
}

/** Cleans the HTML of a page at `url`. */
export function cleanHtml(source: string, url: string): CleanHtml {
  const sink = new CleanSink(url);
  const summary = walkHtml(source, sink);
  return {
    ...summary,
    html: sink.html(),
    textLength: sink.textLength,
    isCut: sink.isFull,
  };
}

class CleanSink implements HtmlSink {
  textLength = 0;
  readonly #parts: string[] = [];
  readonly #written: boolean[] = [];
  #length = 0;
  #escapedPieces = 0;
  #preDepth = 0;
  #base: string;

  constructor(url: string) {
    this.#base = url;
  }

  get isFull(): boolean {
    return this.#length > MAX_CHARACTERS || this.#escapedPieces > MAX_ESCAPED_PIECES;
  }

  base(href: string): void {
    this.#base = URL.parse(href, this.#base)?.href ?? this.#base;
  }

  html(): string {
    return this.#parts.join("");
  }

  open(name: string, attributes: Attributes): void {
    const isWritten = this.#write(name, attributes);
    // An end tag is written where its beginning was.
    if (!VOID.has(name)) this.#written.push(isWritten);
  }

  #write(name: string, attributes: Attributes): boolean {
    if (name === "pre") this.#preDepth++;
    else if (this.#preDepth > 0 && name !== "code") {
      if (name === "br") this.#add("\n");
      return false;
    }
    if (OUTER.has(name) || !/^[a-z][a-z0-9-]{0,30}$/.test(name)) return false;
    if (name === "img" && imageOf(attributes) === undefined) return false;
    // Void elements end themselves: the strict parser of main-content.ts wants it so.
    this.#add(`<${name}${this.#attributesOf(name, attributes)}${VOID.has(name) ? "/>" : ">"}`);
    return true;
  }

  close(name: string): void {
    if (VOID.has(name)) return;
    const wasWritten = this.#written.pop() === true;
    if (name === "pre") this.#preDepth--;
    else if (this.#preDepth > 0 && name !== "code") {
      // A line of code in an element of its own.
      if (BLOCK.has(name) && !this.#parts.at(-1)?.endsWith("\n")) this.#add("\n");
      return;
    }
    if (wasWritten) this.#add(`</${name}>`);
  }

  text(text: string): void {
    this.textLength += text.length;
    this.#add(/[&<>]/.test(text) ? text.replace(/[&<>]/g, (character) => this.#escape(character)) : text);
  }

  lineBreak(): void {
    const line = this.#preDepth > 0 ? "\n" : "<br/>";
    if (this.#parts.at(-1) !== line) this.#add(line);
  }

  #escape(character: string): string {
    this.#escapedPieces++;
    return entityOf(character);
  }

  #add(part: string): void {
    if (this.isFull) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  #attributesOf(name: string, attributes: Attributes): string {
    if (attributes.size === 0) return "";
    let text = "";
    for (const [key, value] of attributes) {
      if (KEPT.has(key)) text += ` ${key}="${escaped(value.slice(0, MAX_KEPT_CHARACTERS))}"`;
    }
    if (name === "a") text += this.#link("href", attributes.get("href"));
    if (name === "img") text += this.#link("src", imageOf(attributes));
    return text;
  }

  #link(key: string, value: string | undefined): string {
    const url = value === undefined ? null : URL.parse(value.trim(), this.#base);
    if (url === null || !/^(?:https?|mailto|tel|ftp):$/.test(url.protocol)) return "";
    return ` ${key}="${escaped(url.href)}"`;
  }
}

/** Where the image is, also where a script was to put it there. */
function imageOf(attributes: Attributes): string | undefined {
  return [attributes.get("src"), attributes.get("data-src"), attributes.get("data-original")].find(
    (source) => source !== undefined && source !== "" && !/^\s*data:/i.test(source),
  );
}

function escaped(value: string): string {
  return /[&<>"]/.test(value) ? value.replace(/[&<>"]/g, entityOf) : value;
}

function entityOf(character: string): string {
  return character === "&" ? "&amp;" : character === "<" ? "&lt;" : character === ">" ? "&gt;" : "&quot;";
}
