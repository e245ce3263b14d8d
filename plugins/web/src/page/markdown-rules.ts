// How elements become Markdown where turndown's own rules lose something: the language of code, fences in code, images
// (shown as links), the anchors of headings.
import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService, { type MarkupElement } from "turndown";

const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:|sourceCode)[-\s:]+([\w+#.-]{1,30})/;

/** A converter; it keeps no state between pages. */
export function markdownConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.use(gfm);
  service.addRule("code block", {
    filter: "pre",
    replacement: (_content, node) => {
      const code = (node.textContent ?? "").replace(/^\n|\n$/g, "");
      const longest = Math.max(2, ...(code.match(/^`{3,}/gm) ?? []).map((run: string) => run.length));
      const fence = "`".repeat(longest + 1);
      return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
    },
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_content, node) => {
      const words = (node.getAttribute("alt") ?? "").replace(/[[\]\s]+/g, " ").trim();
      const label = words === "" ? "image" : `image: ${words}`;
      const source = node.getAttribute("src") ?? "";
      // A link cannot hold a link.
      return source === "" || isInLink(node) ? label : `[${label}](${source})`;
    },
  });
  service.addRule("heading", {
    filter: (node) => /^H[1-6]$/.test(node.nodeName),
    replacement: (content, node) => {
      const words = content.replace(/\s+/g, " ").trim();
      return words === "" ? "" : `\n\n${"#".repeat(Number(node.nodeName.slice(1)))} ${words}\n\n`;
    },
  });
  service.addRule("heading anchor", {
    filter: (node) =>
      node.nodeName === "A" && isInHeading(node) && /^[\s¶#§🔗\u200b]*$/u.test(node.textContent ?? ""),
    replacement: () => "",
  });
  return service;
}

function languageOf(pre: MarkupElement): string {
  const candidates = [pre.querySelector("code"), pre, pre.parentElement, pre.parentElement?.parentElement];
  for (const element of candidates) {
    const found = LANGUAGE.exec(element?.getAttribute("class") ?? "")?.[1];
    if (found !== undefined) return found;
  }
  return "";
}

function isInLink(node: MarkupElement): boolean {
  for (let at = node.parentElement; at !== null; at = at.parentElement) if (at.nodeName === "A") return true;
  return false;
}

function isInHeading(node: MarkupElement): boolean {
  return /^H[1-6]$/.test(node.parentElement?.nodeName ?? "");
}
