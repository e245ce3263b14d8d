// Characters that a person takes for the same: how far a search for a similar passage looks past quotation
// marks, dashes, white space, accents and letter case. For diagnosis only; a match is never made this way.

/** What a character is to a search for words. Values from 2 up are the folded code of a word character. */
export const SEPARATOR = 0;
export const IGNORED = 1;

/** Quotation marks of all kinds, as `'`. */
export const QUOTES = /["'`\u00b4\u2018-\u201f\u2032\u2033\u2035\u00ab\u00bb\u2039\u203a]/gu;
/** Hyphens, dashes and the minus sign, as `-`. */
export const DASHES = /[-\u00ad\u2010-\u2015\u2212]/gu;
/** Blanks that are neither space nor tab, as a space. */
export const SPECIAL_SPACES = /[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/gu;

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Folded shapes of UTF-16 units: the first half of a table that takes about a millisecond to make. */
export interface CharacterFolds {
  /** By unit: {@link SEPARATOR}, {@link IGNORED} or a folded code. */
  readonly word: Uint16Array;
  /** By unit: the same value for units that look alike. */
  readonly shape: Uint16Array;
}

let folds: CharacterFolds | undefined;

/** The tables, made when first asked for: most processes never need them. */
export function characterFolds(): CharacterFolds {
  folds ??= makeFolds();
  return folds;
}

/** Beyond these, units keep their own code: folding every script would cost more than it finds. */
const LATIN_END = 0x250;

function makeFolds(): CharacterFolds {
  const word = new Uint16Array(0x10000);
  const shape = new Uint16Array(0x10000);
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    shape[code] =
      code < LATIN_END || (code >= 0x2000 && code < 0x3001) || code === 0xfeff ? shapeOf(character) : code;
    if (code >= 0x300 && code < 0x370) word[code] = IGNORED;
    else if (code >= LATIN_END) word[code] = code >= 0x2000 && code < 0x3040 ? SEPARATOR : code;
    else word[code] = WORD_CHARACTER.test(character) ? (shape[code] ?? code) : SEPARATOR;
  }
  return { word, shape };
}

function shapeOf(character: string): number {
  const plain = character.replace(QUOTES, "'").replace(DASHES, "-").replace(SPECIAL_SPACES, " ");
  return plain.normalize("NFD").toLowerCase().charCodeAt(0);
}
