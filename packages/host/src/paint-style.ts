// The few escapes the painter writes, and nothing else: everything between them has passed visibleText.
import { visibleText } from "@pluggableharness/protocol";

const codes = { bold: 1, dim: 2, italic: 3, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof codes;

/** Writes a text in a style, or links to a place. */
export interface Pen {
  /** The text made safe, in a style where there is colour. */
  styled(text: string, ...styles: readonly Style[]): string;
  /** A link a terminal can follow where it can, else the place behind the text. */
  link(text: string, url: string): string;
}

/** Schemes a terminal may be asked to open. */
const LINKABLE = /^(https?|file|mailto):[\u0021-\u007e]+$/i;

/** A pen for a terminal with or without colour. */
export function createPen({
  colour,
  hyperlinks,
}: {
  readonly colour: boolean;
  readonly hyperlinks: boolean;
}): Pen {
  const styled: Pen["styled"] = (text, ...styles) => {
    const safe = visibleText(text);
    if (!colour || styles.length === 0 || safe === "") return safe;
    return `\u001b[${styles.map((style) => codes[style]).join(";")}m${safe}\u001b[0m`;
  };
  return {
    styled,
    link: (text, url) => {
      const label = text === "" ? url : text;
      if (colour && hyperlinks && LINKABLE.test(url))
        return `\u001b]8;;${url}\u001b\\${styled(label, "cyan")}\u001b]8;;\u001b\\`;
      return label === url ? styled(url, "cyan") : `${styled(label, "cyan")} (${styled(url)})`;
    },
  };
}
