// The text of HTML without any marks: a line for a block, a tab between cells. One linear pass, so it is also what is
// left where a page is too much for everything else.
import { BLOCK } from "./element-sets.ts";
import { type HtmlSink, type WalkSummary, walkHtml } from "./html-walk.ts";

export interface PlainText extends WalkSummary {
  readonly text: string;
}

/** Turns HTML into text. */
export function plainText(source: string): PlainText {
  const sink = new TextSink();
  const summary = walkHtml(source, sink);
  return { ...summary, text: sink.result() };
}

class TextSink implements HtmlSink {
  #lines: string[] = [];
  #line = "";
  #endsWithSpace = true;
  #preDepth = 0;

  open(name: string): void {
    if (name === "pre") this.#preDepth++;
    if (name === "li") {
      this.lineBreak();
      this.#line = "- ";
      this.#endsWithSpace = true;
    } else if (name === "td" || name === "th") {
      if (this.#line !== "") this.#line += "\t";
      this.#endsWithSpace = true;
    } else if (BLOCK.has(name)) this.lineBreak();
  }

  close(name: string): void {
    if (name === "pre") this.#preDepth--;
    if (name === "td" || name === "th") return;
    if (BLOCK.has(name)) this.lineBreak();
    if (name === "p" || name === "pre" || name === "table" || /^h[1-6]$/.test(name)) this.#lines.push("");
  }

  text(text: string): void {
    if (this.#preDepth > 0) {
      const [first = "", ...rest] = text.split("\n");
      this.#line += first;
      this.#endsWithSpace = false;
      for (const line of rest) {
        this.#lines.push(this.#line);
        this.#line = line;
      }
      return;
    }
    const collapsed = text.replace(/\s+/g, " ");
    const added = this.#endsWithSpace ? collapsed.trimStart() : collapsed;
    this.#line += added;
    // Kept apart: to look at the end of the line would copy it, for each of a million pieces.
    if (added !== "") this.#endsWithSpace = added.endsWith(" ");
  }

  lineBreak(): void {
    this.#endsWithSpace = true;
    if (this.#line.trim() === "") {
      this.#line = "";
      return;
    }
    this.#lines.push(this.#line.trimEnd());
    this.#line = "";
  }

  /** Everything so far, with at most one empty line between two. */
  result(): string {
    this.lineBreak();
    return this.#lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }
}
