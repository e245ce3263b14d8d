// The words of one block of Markdown: emphasis, links and code within a line. White space collapses as a browser does
// it; markers stand at words, never at spaces.

/** `*` and its like would begin something; an underscore only does at the edge of a word. */
const MARKERS = /[\\*`[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** At the beginning of a block these begin a heading, a quote, a list or a rule. */
const BLOCK_MARKER = /^(?:#{1,6}(?=\s)|>|[-+](?=\s)|={3,}|-{3,}|~{3,})/;
const NUMBER_MARKER = /^(\d{1,9})([.)])(?=\s)/;

export type InlineStyle =
  | { readonly kind: "emphasis"; readonly marker: "*" | "**" | "~~" }
  | { readonly kind: "link"; readonly href: string | undefined }
  | { readonly kind: "code" };

interface Span {
  readonly style: InlineStyle;
  text: string;
}

export class InlineText {
  #text = "";
  readonly #spans: Span[] = [];
  /** The last character was white space, or there is none. */
  #isAtSpace = true;

  get isInLink(): boolean {
    return this.#spans.some(({ style }) => style.kind === "link");
  }

  get isInCode(): boolean {
    return this.#spans.some(({ style }) => style.kind === "code");
  }

  /** Adds text of the page. */
  text(text: string): void {
    const collapsed = text.replace(/\s+/g, " ");
    const added = this.#isAtSpace ? collapsed.trimStart() : collapsed;
    if (added === "") return;
    this.#isAtSpace = added.endsWith(" ");
    this.#add(this.isInCode ? added : added.replace(MARKERS, "\\$&"));
  }

  /** Adds Markdown. */
  markup(text: string): void {
    this.#isAtSpace = text.endsWith("\n");
    this.#add(text);
  }

  open(style: InlineStyle): void {
    this.#spans.push({ style, text: "" });
  }

  /** Ends the innermost span of a kind, and those within it. */
  close(kind: InlineStyle["kind"]): void {
    if (!this.#spans.some(({ style }) => style.kind === kind)) return;
    for (;;) {
      const span = this.#spans.pop();
      if (span === undefined) return;
      this.#add(written(span));
      if (span.style.kind === kind) return;
    }
  }

  /** The text of the block so far; spans that are open go on in the next block. */
  take(): string {
    const open = this.#spans.map(({ style }) => style);
    for (let span = this.#spans.pop(); span !== undefined; span = this.#spans.pop()) this.#add(written(span));
    const text = this.#text.trim();
    this.#text = "";
    this.#isAtSpace = true;
    for (const style of open) this.open(style);
    return text.replace(BLOCK_MARKER, "\\$&").replace(NUMBER_MARKER, "$1\\$2");
  }

  #add(text: string): void {
    const span = this.#spans.at(-1);
    if (span === undefined) this.#text += text;
    else span.text += text;
  }
}

/** A span with its markers around its words; white space at its edges stays outside. */
function written({ style, text }: Span): string {
  const words = text.trim();
  if (words === "") return text === "" ? "" : " ";
  const before = /^\s/.test(text) ? " " : "";
  const after = /\s$/.test(text) ? " " : "";
  return before + marked(style, words) + after;
}

function marked(style: InlineStyle, words: string): string {
  switch (style.kind) {
    case "emphasis":
      return style.marker + words + style.marker;
    case "link":
      return style.href === undefined ? words : `[${words}](${target(style.href)})`;
    case "code":
      return inlineCode(words);
  }
}

/** A closing bracket would end the link. */
function target(href: string): string {
  return href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));
}

function inlineCode(words: string): string {
  const longest = Math.max(0, ...(words.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + words + fence : `${fence} ${words} ${fence}`;
}
