// Whether an element is there but not to be seen, by its own attributes: text that a person does not see is no text of
// the page, and a place to hide orders to a model. Style sheets are not read. Pure.

const INVISIBLE = [
  /\bdisplay\s*:\s*none/,
  /\bvisibility\s*:\s*(?:hidden|collapse)/,
  /\b(?:opacity|font-size|max-height|max-width)\s*:\s*0*\.?0+(?:px|em|rem|pt|%)?\s*(?:!important)?\s*(?:;|$)/,
  /\bfont-size\s*:\s*(?:0?\.\d+|1)px/,
  /\b(?:left|right|top|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}/,
  /\bclip\s*:\s*rect\(\s*0(?:px)?[ ,]+0/,
  /(?:^|[;\s])color\s*:\s*(?:transparent|rgba\([^)]*,\s*0(?:\.0*)?\s*\))/,
];
/** Longer ones are cut: a style that long has no business in an attribute. */
const MAX_STYLE_CHARACTERS = 2_000;

/** By `hidden`, `aria-hidden` and `style`. */
export function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false;
  if (attributes.has("hidden") || attributes.get("aria-hidden")?.toLowerCase() === "true") return true;
  const style = attributes.get("style");
  if (style === undefined) return false;
  const text = style
    .slice(0, MAX_STYLE_CHARACTERS)
    .toLowerCase()
    .replace(/\/\*.*?\*\//g, "");
  return INVISIBLE.some((pattern) => pattern.test(text)) || hasTextInItsBackground(text);
}

function hasTextInItsBackground(style: string): boolean {
  const color = colorOf(/(?:^|[;\s])color\s*:\s*([^;!]+)/, style);
  if (color === undefined) return false;
  // Pages are white where they do not say otherwise.
  return color === (colorOf(/\bbackground(?:-color)?\s*:\s*([^;!]+)/, style) ?? "white");
}

function colorOf(pattern: RegExp, style: string): string | undefined {
  const value = pattern.exec(style)?.[1]?.replace(/\s/g, "");
  if (value === undefined || value === "") return undefined;
  return /^(?:white|#fff(?:f|fff|fffff)?|rgba?\(255,255,255(?:,1)?\)|hsl\(0,0%,100%\))$/.test(value)
    ? "white"
    : value;
}
