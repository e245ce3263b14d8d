// Named keys and what a terminal sends for them.

const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  escape: "\x1b",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  insert: "\x1b[2~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  page_up: "\x1b[5~",
  page_down: "\x1b[6~",
  shift_tab: "\x1b[Z",
  f1: "\x1bOP",
  f2: "\x1bOQ",
  f3: "\x1bOR",
  f4: "\x1bOS",
  f5: "\x1b[15~",
  f6: "\x1b[17~",
  f7: "\x1b[18~",
  f8: "\x1b[19~",
  f9: "\x1b[20~",
  f10: "\x1b[21~",
  f11: "\x1b[23~",
  f12: "\x1b[24~",
};

/** For the schema's description. */
export const KEY_WORDS = `${Object.keys(NAMED).join(", ")}, ctrl_a to ctrl_z, alt_a to alt_z`;

/** What to write for a key; undefined where no key has that name. */
export function keySequence(name: string): string | undefined {
  const key = name.toLowerCase().replaceAll("-", "_");
  if (Object.hasOwn(NAMED, key)) return NAMED[key];
  const control = /^ctrl_([a-z])$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  const alt = /^alt_([a-z])$/.exec(key)?.[1];
  return alt === undefined ? undefined : `\x1b${alt}`;
}
