// How many columns of a terminal a text takes: combining marks none, East Asian wide characters and emoji two.

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const PLAIN = /^[\u0020-\u007e]*$/;
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const MARKS_ONLY = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]*$/u;

/** Columns of a text without control characters. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of a text that takes at most `columns`, and the rest. At least one character is taken, so cutting ends. */
export function cutToWidth(text: string, columns: number): readonly [head: string, rest: string] {
  if (PLAIN.test(text)) return [text.slice(0, Math.max(1, columns)), text.slice(Math.max(1, columns))];
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns && index > 0) break;
    end = index + segment.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

/** The text in `columns`: cut with an ellipsis where it is longer, filled with blanks where it is shorter. */
export function fitToWidth(text: string, columns: number): string {
  const width = textWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  const [head] = cutToWidth(text, columns - 1);
  return fitToWidth(`${head}…`, Math.max(columns, textWidth(head) + 1));
}

function graphemeWidth(segment: string): number {
  if (WIDE.test(segment)) return 2;
  return MARKS_ONLY.test(segment) ? 0 : 1;
}
