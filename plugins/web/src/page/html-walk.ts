// HTML of any shape as balanced tags and text: what a reader sees is told to a sink; scripts and hidden text are left
// out. What is too deep or too much keeps its text and loses its tags, so that nothing after this can be made to hang:
// readability is quadratic in depth, turndown in cells.
import { BLOCK, DROPPED, ENDS_BEFORE, VOID } from "./element-sets.ts";
import { isHidden } from "./hidden-element.ts";
import { type Attributes, readTokens, type TokenSink } from "./html-tokens.ts";

export const MAX_DEPTH = 256;
export const MAX_ELEMENTS = 50_000;
const MAX_TITLE_CHARACTERS = 2_000;

/** Is told what is to be seen. */
export interface HtmlSink {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
  /** A tag was left out that would have begun a new line. */
  lineBreak(): void;
  /** A `<base href>`, before all that comes after it. */
  base?(href: string): void;
}

/** What was seen beside the text. */
export interface WalkSummary {
  readonly title: string;
  readonly hiddenElements: number;
  /** Tags were left out because the page is too deep or has too many. */
  readonly isSimplified: boolean;
}

/** Walks through `source`. */
export function walkHtml(source: string, sink: HtmlSink): WalkSummary {
  const walker = new Walker(sink);
  readTokens(source, walker);
  return walker.end();
}

interface Open {
  readonly name: string;
  /** The sink was told. */
  readonly isShown: boolean;
  readonly hides: boolean;
}

class Walker implements TokenSink {
  readonly #sink: HtmlSink;
  readonly #stack: Open[] = [];
  /** Elements left off the stack, by name, so that their end tags are left out too. */
  readonly #unstacked = new Map<string, number>();
  #elements = 0;
  /** Open elements that hide what they hold. */
  #hiding = 0;
  #hiddenElements = 0;
  #isSimplified = false;
  #title = "";
  #titleState: "before" | "inside" | "after" = "before";
  #hasBase = false;

  constructor(sink: HtmlSink) {
    this.#sink = sink;
  }

  startTag(name: string, attributes: Attributes): void {
    this.#elements++;
    this.#endWhatEndsBefore(name);
    this.#noteHead(name, attributes);
    // A page that hides itself until its scripts have run is there to be read.
    const isHiddenHere = name !== "html" && name !== "body" && isHidden(attributes);
    if (isHiddenHere && this.#hiding === 0) this.#hiddenElements++;
    const hides = isHiddenHere || name === "title" || DROPPED.has(name);
    const isTooMany = this.#elements > MAX_ELEMENTS && !hides;
    // What hides must hide however deep it is; beyond the second bound it lies in something that hides already.
    const isTooDeep = this.#stack.length >= (hides ? 2 * MAX_DEPTH : MAX_DEPTH);
    if (isTooMany || (isTooDeep && !VOID.has(name))) {
      if (!VOID.has(name)) this.#unstacked.set(name, (this.#unstacked.get(name) ?? 0) + 1);
      this.#isSimplified = true;
      this.#breakFor(name);
      return;
    }
    const isShown = this.#hiding === 0 && !hides;
    if (isShown) this.#sink.open(name, attributes);
    if (VOID.has(name)) {
      if (isShown) this.#sink.close(name);
      return;
    }
    if (hides) this.#hiding++;
    this.#stack.push({ name, isShown, hides });
  }

  endTag(name: string): void {
    if (name === "title" && this.#titleState === "inside") this.#titleState = "after";
    const left = this.#unstacked.get(name) ?? 0;
    if (left > 0) {
      this.#unstacked.set(name, left - 1);
      this.#breakFor(name);
      return;
    }
    const at = this.#stack.findLastIndex((open) => open.name === name);
    if (at !== -1) while (this.#stack.length > at) this.#pop();
    else if (name === "br") this.#breakFor(name);
  }

  text(text: string): void {
    if (this.#hiding === 0) this.#sink.text(text);
    else if (this.#titleState === "inside" && this.#title.length < MAX_TITLE_CHARACTERS) this.#title += text;
  }

  end(): WalkSummary {
    while (this.#stack.length > 0) this.#pop();
    return {
      title: this.#title.replace(/\s+/g, " ").trim(),
      hiddenElements: this.#hiddenElements,
      isSimplified: this.#isSimplified,
    };
  }

  #endWhatEndsBefore(name: string): void {
    const ended = ENDS_BEFORE.get(name);
    if (ended !== undefined) while (ended.has(this.#stack.at(-1)?.name ?? "")) this.#pop();
    // `<body>` ends a head that was left open.
    if (name === "body") while (this.#stack.some((open) => open.name === "head")) this.#pop();
  }

  #noteHead(name: string, attributes: Attributes): void {
    if (name === "title" && this.#titleState === "before") this.#titleState = "inside";
    const href = attributes.get("href");
    if (name !== "base" || href === undefined || this.#hasBase) return;
    this.#hasBase = true;
    this.#sink.base?.(href);
  }

  #breakFor(name: string): void {
    if (this.#hiding === 0 && BLOCK.has(name)) this.#sink.lineBreak();
  }

  #pop(): void {
    const closed = this.#stack.pop();
    if (closed?.hides === true) this.#hiding--;
    if (closed?.isShown === true) this.#sink.close(closed.name);
  }
}
