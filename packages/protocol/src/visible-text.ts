// Text made safe to show: what a terminal or a page would act on instead of showing becomes visible
// (catalog.md, 'Common rules'). Pure; the text itself is never changed where it is stored.

/**
 * C0 and C1 controls other than tab and newline, DEL, bidirectional marks, embeddings, overrides and isolates,
 * invisible separators and the tag characters used to hide instructions.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text with every unsafe character replaced by a visible form: `␛` for escape, `⟨U+202E⟩` for an override. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, visibleForm);
}

function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Unicode has a picture of each C0 control and of DEL.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
