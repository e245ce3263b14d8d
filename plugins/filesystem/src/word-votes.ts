// Where in a text a passage could stand, by the words they share: each place of a rare word votes for the
// place where the passage would then begin. One pass over the text, bounded hits for each word.
import { characterFolds, IGNORED, SEPARATOR } from "./character-folds.ts";

/** Different words of a passage that are looked for. */
const MAX_WORDS = 256;
/** Places of one word that vote; a word with more is too common to tell. */
const MAX_HITS = 100;
/** Places are told apart by this many characters: the drift that changed indentation may cause. */
export const PLACE_CHARS = 256;

interface Word {
  readonly places: number[];
  readonly hits: number[];
  count: number;
}

/** Offsets near which `passage` could begin in `text`, best first, at most `count`. */
export function likelyPlaces(text: string, passage: string, count: number): number[] {
  const words = wordsOf(passage);
  // Most words of a text are none of these; asking a small array first spares the map nearly all questions.
  const isCandidate = new Uint8Array(0x10000);
  for (const hash of words.keys()) isCandidate[hash & 0xffff] = 1;
  eachWord(text, (hash, offset) => {
    if (isCandidate[hash & 0xffff] === 0) return;
    const word = words.get(hash);
    if (word === undefined) return;
    word.count++;
    if (word.hits.length < MAX_HITS) word.hits.push(offset);
  });
  const votes = new Map<number, number>();
  for (const { places, hits, count: occurrences } of words.values()) {
    for (const hit of hits) {
      for (const place of places) {
        const bucket = Math.floor(Math.max(0, hit - place) / PLACE_CHARS);
        votes.set(bucket, (votes.get(bucket) ?? 0) + 1 / occurrences);
      }
    }
  }
  const scored = [...votes].map(([bucket, score]) => ({
    bucket,
    score: score + (votes.get(bucket + 1) ?? 0),
  }));
  scored.sort((a, b) => b.score - a.score || a.bucket - b.bucket);
  return scored.slice(0, count).map(({ bucket }) => bucket * PLACE_CHARS);
}

function wordsOf(passage: string): Map<number, Word> {
  const words = new Map<number, Word>();
  eachWord(passage, (hash, offset) => {
    const word = words.get(hash);
    if (word !== undefined && word.places.length < 4) word.places.push(offset);
    else if (word === undefined && words.size < MAX_WORDS)
      words.set(hash, { places: [offset], hits: [], count: 0 });
  });
  return words;
}

/** Calls `visit` with a hash of each word, folded, and where it begins. */
function eachWord(text: string, visit: (hash: number, offset: number) => void): void {
  const { word: folded } = characterFolds();
  let hash = 0;
  let start = -1;
  for (let offset = 0; offset < text.length; offset++) {
    const code = folded[text.charCodeAt(offset)] ?? SEPARATOR;
    if (code > IGNORED) {
      if (start === -1) start = offset;
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (code === SEPARATOR && start !== -1) {
      visit(hash, start);
      hash = 0;
      start = -1;
    }
  }
  if (start !== -1) visit(hash, start);
}
