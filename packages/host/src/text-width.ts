// How many columns of a terminal a text takes: combining marks none, East Asian wide characters and emoji two.
// Cutting and wrapping split no character, and take time in proportion to the text.

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const PLAIN = /^[\u0020-\u007e]*$/;
const WIDE =
  /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
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

/** Lines of at most `columns` that hold a line, broken at a blank where there is one after the indentation. */
export function wrapToWidth(line: string, columns: number): string[] {
  if (PLAIN.test(line) && line.length <= columns) return [line];
  const lines: string[] = [];
  let [start, width, hasWord] = [0, 0, false];
  let blank: { readonly index: number; readonly widthAfter: number } | undefined;
  const breakAt = (end: number, next: number, remaining: number): void => {
    lines.push(line.slice(start, end));
    [start, width, hasWord, blank] = [next, remaining, remaining > 0, undefined];
  };
  for (const { segment, index } of clusters(line)) {
    const own = graphemeWidth(segment);
    if (width + own > columns && index > start) {
      if (segment === " ") {
        breakAt(index, index + 1, 0);
        continue;
      }
      if (blank === undefined) breakAt(index, index, 0);
      else breakAt(blank.index, blank.index + 1, width - blank.widthAfter);
    }
    width += own;
    if (segment !== " ") hasWord ||= own > 0;
    else if (hasWord) blank = { index, widthAfter: width };
  }
  return [...lines, line.slice(start)];
}

/** The text in `columns`: cut with an ellipsis where it is longer, filled with blanks where it is shorter. */
export function fitToWidth(text: string, columns: number): string {
  const width = textWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  const [head] = cutToWidth(text, columns - 1);
  return fitToWidth(`${head}…`, Math.max(columns, textWidth(head) + 1));
}

/** What a reader sees as single characters; without the segmenter, which is slow, where each code unit is one. */
function clusters(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
  return PLAIN.test(text)
    ? Array.from(text, (segment, index) => ({ segment, index }))
    : graphemes.segment(text);
}

function graphemeWidth(segment: string): number {
  if (PLAIN.test(segment)) return segment.length;
  if (WIDE.test(segment)) return 2;
  return MARKS_ONLY.test(segment) ? 0 : 1;
}
