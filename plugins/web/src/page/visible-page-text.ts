// The text of a page with what acts or hides made visible: terminal escapes, bidirectional overrides, zero-width and
// tag characters, and the variation selectors in which bytes can be smuggled. Line ends become `\n`. Pure.
import { visibleText } from "@pluggableharness/protocol";

/** Selectors that no picture needs, and any two in a row. */
const SMUGGLING = /[\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f]{2,}|[\u00ad\u180e\u3164\uffa0]/gu;

export function visiblePageText(text: string): string {
  // Half a character, as JSON can hold it, cannot be sent.
  return visibleText(text.toWellFormed().replace(/\r\n?/g, "\n")).replace(SMUGGLING, shown);
}

function shown(run: string): string {
  return [...run]
    .map((each) => `⟨U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .join("");
}
