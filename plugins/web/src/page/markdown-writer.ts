// HTML as Markdown in one pass, without a tree: what is open is a stack of containers, each with the blocks that it
// holds so far. A tree of a page of a megabyte would take more memory than all the rest of a fetch.
import { BLOCK } from "./element-sets.ts";
import type { Attributes } from "./html-tokens.ts";
import { type HtmlSink, walkHtml } from "./html-walk.ts";
import {
  type Block,
  type Cell,
  codeBlock,
  indented,
  joinBlocks,
  quoted,
  tableBlocks,
} from "./markdown-blocks.ts";
import { InlineText } from "./markdown-inline.ts";

/** Deeper quotes and lists are not indented further: each level costs its mark on each line. */
const MAX_INDENTED = 12;
const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:|sourceCode)[-\s:]+([\w+#.-]{1,30})/;
/** What sites put beside a heading to link to it. */
const ANCHOR = /^\[?[\s¶#§🔗\\]*\]?$/u;

/** Turns HTML that went through `cleanHtml` into Markdown. */
export function markdownOf(html: string): string {
  const writer = new MarkdownWriter();
  walkHtml(html, writer);
  return writer.end();
}

interface Container {
  readonly name: string;
  readonly blocks: Block[];
  /** Before an item. */
  readonly mark: string;
  readonly list: number;
}

interface List {
  readonly id: number;
  readonly isOrdered: boolean;
  next: number;
}

interface Table {
  readonly rows: Cell[][];
  cell: { readonly isHeader: boolean; readonly columns: number };
}

class MarkdownWriter implements HtmlSink {
  readonly #inline = new InlineText();
  readonly #containers: Container[] = [{ name: "", blocks: [], mark: "", list: 0 }];
  readonly #lists: List[] = [];
  readonly #tables: Table[] = [];
  #listCount = 0;
  #code: { text: string; language: string } | undefined;
  /** Classes of the elements around, which may name the language of code. */
  readonly #languages: string[] = [];

  open(name: string, attributes: Attributes): void {
    const language = LANGUAGE.exec(attributes.get("class") ?? "")?.[1] ?? "";
    if (this.#code !== undefined) {
      if (this.#code.language === "") this.#code.language = language;
      return;
    }
    if (name === "div" || name === "figure") this.#languages.push(language);
    if (BLOCK.has(name) && name !== "br") this.#endBlock();
    this.#openInline(name, attributes);
    if (name === "pre")
      this.#code = { text: "", language: language || this.#languages.findLast((each) => each !== "") || "" };
    else if (name === "blockquote" || name === "dd") this.#enter(name, name === "dd" ? ": " : "> ", 0);
    else if (name === "ul" || name === "ol") this.#openList(name, attributes);
    else if (name === "li") this.#openItem();
    else if (name === "table") this.#tables.push({ rows: [], cell: { isHeader: false, columns: 1 } });
    else if (name === "tr") this.#tables.at(-1)?.rows.push([]);
    else if (name === "td" || name === "th") this.#openCell(name, attributes);
    else if (name === "hr") this.#add("---");
  }

  close(name: string): void {
    if (name === "pre" && this.#code !== undefined) {
      const { text, language } = this.#code;
      this.#code = undefined;
      if (text.trim() !== "") this.#push({ text: codeBlock(text, language), isLayout: true });
    }
    if (this.#code !== undefined) return;
    if (name === "div" || name === "figure") this.#languages.pop();
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) this.#endHeading(Number(heading));
    if (BLOCK.has(name) && name !== "br") this.#endBlock();
    this.#closeInline(name);
    if (name === "ul" || name === "ol") this.#lists.pop();
    else if (name === "td" || name === "th") this.#closeCell(name);
    else if (name === "table")
      for (const block of tableBlocks(this.#tables.pop()?.rows ?? [])) this.#push(block);
    else if (name === "blockquote" || name === "dd" || name === "li") this.#leave(name);
  }

  text(text: string): void {
    if (this.#code !== undefined) this.#code.text += text;
    else this.#inline.text(text);
  }

  lineBreak(): void {
    if (this.#code === undefined) this.#endBlock();
  }

  end(): string {
    this.#endBlock();
    while (this.#containers.length > 1) this.#leave(this.#containers.at(-1)?.name ?? "");
    return joinBlocks(this.#containers[0]?.blocks ?? []);
  }

  #openInline(name: string, attributes: Attributes): void {
    if (name === "strong" || name === "b") this.#inline.open({ kind: "emphasis", marker: "**" });
    else if (name === "em" || name === "i") this.#inline.open({ kind: "emphasis", marker: "*" });
    else if (name === "del" || name === "s") this.#inline.open({ kind: "emphasis", marker: "~~" });
    else if (name === "code" || name === "kbd" || name === "samp" || name === "tt")
      this.#inline.open({ kind: "code" });
    else if (name === "a") this.#inline.open({ kind: "link", href: attributes.get("href") });
    else if (name === "br") this.#inline.markup("  \n");
    else if (name === "img") this.#image(attributes);
    else if (name === "input" && attributes.get("type") === "checkbox") {
      this.#inline.markup(attributes.has("checked") ? "[x] " : "[ ] ");
    }
  }

  #closeInline(name: string): void {
    if (/^(?:strong|b|em|i|del|s)$/.test(name)) this.#inline.close("emphasis");
    else if (/^(?:code|kbd|samp|tt)$/.test(name)) this.#inline.close("code");
    else if (name === "a") this.#inline.close("link");
  }

  #image(attributes: Attributes): void {
    const words = (attributes.get("alt") ?? "").replace(/[[\]\s]+/g, " ").trim();
    const label = words === "" ? "image" : `image: ${words}`;
    const source = attributes.get("src");
    // A link cannot hold a link.
    this.#inline.markup(source === undefined || this.#inline.isInLink ? label : `[${label}](${source})`);
  }

  #endHeading(level: number): void {
    // The anchor is a link of its own, before or after the words.
    const words = this.#inline
      .take()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, (link, label: string) => (ANCHOR.test(label) ? "" : link))
      .replace(/\s+/g, " ")
      .trim();
    if (words !== "") this.#push({ text: `${"#".repeat(level)} ${words}`, isLayout: true });
  }

  #openList(name: string, attributes: Attributes): void {
    const start = Number(attributes.get("start") ?? 1);
    const next = Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1;
    this.#lists.push({ id: ++this.#listCount, isOrdered: name === "ol", next });
  }

  #openItem(): void {
    const list = this.#lists.at(-1);
    this.#enter("li", list?.isOrdered === true ? `${list.next++}. ` : "- ", list?.id ?? 0);
  }

  #openCell(name: string, attributes: Attributes): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    const span = Number(attributes.get("colspan") ?? 1);
    table.cell = {
      isHeader: name === "th",
      columns: Number.isInteger(span) && span > 1 ? Math.min(span, 20) : 1,
    };
    this.#enter(name, "", 0);
  }

  #closeCell(name: string): void {
    const table = this.#tables.at(-1);
    const container = this.#containers.at(-1);
    if (table === undefined || container?.name !== name) return;
    this.#containers.pop();
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)?.push({ ...table.cell, blocks: container.blocks });
  }

  #enter(name: string, mark: string, list: number): void {
    this.#containers.push({ name, blocks: [], mark, list });
  }

  /** Ends a container and puts what it holds, marked, into the one around it. */
  #leave(name: string): void {
    const container = this.#containers.at(-1);
    if (this.#containers.length < 2 || container?.name !== name) return;
    this.#containers.pop();
    const { blocks, mark, list } = container;
    const isItem = name === "li";
    const text = joinBlocks(blocks, { isInItem: isItem });
    if (text === "") return;
    const isPlain = this.#containers.length > MAX_INDENTED || mark === "";
    const marked = isPlain ? text : name === "blockquote" ? quoted(text) : indented(mark, text);
    this.#push({ text: marked, isLayout: true, ...(isItem && !isPlain && { list }) });
  }

  #endBlock(): void {
    this.#add(this.#inline.take());
  }

  #add(text: string): void {
    if (text !== "") this.#push({ text, isLayout: false });
  }

  #push(block: Block): void {
    this.#containers.at(-1)?.blocks.push(block);
  }
}
