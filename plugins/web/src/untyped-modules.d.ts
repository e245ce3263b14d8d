// Types of modules that come without: only what is used of them.
declare module "turndown" {
  /** What turndown's own DOM gives of an element. */
  export interface MarkupElement {
    readonly nodeName: string;
    readonly textContent: string | null;
    readonly parentElement: MarkupElement | null;
    getAttribute(name: string): string | null;
    querySelector(selector: string): MarkupElement | null;
  }
  interface Rule {
    filter: string | ((node: MarkupElement) => boolean);
    replacement: (content: string, node: MarkupElement) => string;
  }
  type Plugin = (service: TurndownService) => void;
  interface Options {
    headingStyle?: "atx" | "setext";
    codeBlockStyle?: "fenced" | "indented";
    bulletListMarker?: "-" | "*" | "+";
    emDelimiter?: "*" | "_";
    hr?: string;
  }
  export default class TurndownService {
    constructor(options?: Options);
    use(plugin: Plugin): this;
    addRule(name: string, rule: Rule): this;
    turndown(html: string): string;
  }
}

declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown";
  export const gfm: (service: TurndownService) => void;
}

declare module "html-encoding-sniffer" {
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string; maxPrescanBytes?: number },
  ): string;
}
