// The mark around every word that the web wrote, so that a model can tell data from instructions. Its name is drawn
// anew for each call, after the page has been read, so no page can contain it; what looks like such a mark all the
// same is broken (catalog.md, 'web_fetch').
import { randomBytes } from "node:crypto";

/** The word in plain or wide letters, also spaced out. */
const WORD = Array.from("untrusted", (letter) => `[${letter}${wide(letter)}]`).join("\\s*");
/** An angle bracket in any disguise, before it. */
const LOOKALIKE = new RegExp(`(?:[<＜‹〈⟨«﹤]|&(?:lt|#0*60|#x0*3c);?|%3c)(?=[\\s/\\\\／⁄∕⧸]*${WORD})`, "giu");

/** One call's mark. */
export interface UntrustedMark {
  /** Text between its beginning and its end, on lines of their own. */
  block(text: string): string;
  /** The same on one line; an empty text stays empty. */
  inline(text: string): string;
}

/** A mark for one call. */
export function untrustedMark(): UntrustedMark {
  const name = `untrusted-${randomBytes(8).toString("hex")}`;
  const harmless = (text: string): string => text.replace(LOOKALIKE, "‹!›");
  return {
    block: (text) => `<${name}>\n${harmless(text)}\n</${name}>`,
    inline: (text) => (text === "" ? "" : `<${name}>${harmless(text)}</${name}>`),
  };
}

/** The text without its marks, for a person. */
export function withoutMarks(text: string): string {
  return text.replace(/<\/?untrusted-[0-9a-f]{16}>\n?/g, "");
}

/** The same letter as wide as an ideograph. */
function wide(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
}
