// In what two passages differ that look alike: each cause has a name, a way to look past it, and a way to say
// what stands on either side.
import { DASHES, QUOTES, SPECIAL_SPACES } from "./character-folds.ts";
import { codePointName } from "./text-encoding.ts";

/** A kind of difference, and the first line on which it shows. */
export interface Difference {
  readonly cause: string;
  /** Lines after the first of the passage. */
  readonly line: number;
  /** What stands there in the file, and in the wanted passage, in words. */
  readonly inFile: string;
  readonly wanted: string;
}

interface Cause {
  readonly cause: string;
  /** The line without what this cause is about. */
  readonly fold: (line: string) => string;
  /** The parts of a line that this cause is about, in order. */
  readonly parts: (line: string) => readonly string[];
  readonly inWords: (part: string) => string;
}

const matches = (pattern: RegExp) => (line: string) => line.match(pattern) ?? [];
const WORDS = /[\p{L}\p{N}]+/gu;
const INNER_BLANKS = /(?<=[^ \t])[ \t]+(?=[^ \t\r])/g;

/** In the order in which they are folded: each may rely on those before it. */
const causes: readonly Cause[] = [
  {
    cause: "line endings",
    fold: (line) => line.replace(/\r$/, ""),
    parts: (line) => [line.endsWith("\r") ? "CRLF" : "LF"],
    inWords: (part) => part,
  },
  {
    cause: "special blanks",
    fold: (line) => line.replace(SPECIAL_SPACES, " "),
    parts: matches(SPECIAL_SPACES),
    inWords: characterInWords,
  },
  {
    cause: "indentation",
    fold: (line) => line.replace(/^[ \t]+/, ""),
    parts: (line) => [/^[ \t]*/.exec(line)?.[0] ?? ""],
    inWords: blanksInWords,
  },
  {
    cause: "white space at line ends",
    fold: (line) => line.slice(0, line.length - trailingBlanks(line).length),
    parts: (line) => [trailingBlanks(line.replace(/\r$/, ""))],
    inWords: blanksInWords,
  },
  {
    cause: "white space within lines",
    fold: (line) => line.replace(/[ \t]+/g, ""),
    parts: matches(INNER_BLANKS),
    inWords: blanksInWords,
  },
  {
    cause: "quotation marks",
    fold: (line) => line.replace(QUOTES, "'"),
    parts: matches(QUOTES),
    inWords: characterInWords,
  },
  {
    cause: "dashes",
    fold: (line) => line.replace(DASHES, "-"),
    parts: matches(DASHES),
    inWords: characterInWords,
  },
  {
    cause: "Unicode form",
    fold: (line) => line.normalize("NFC"),
    parts: (line) => [line === line.normalize("NFC") ? "composed (NFC)" : "decomposed (NFD)"],
    inWords: (part) => part,
  },
  {
    cause: "letter case",
    fold: (line) => line.toLowerCase(),
    parts: (line) => line.normalize("NFC").match(WORDS) ?? [],
    inWords: (part) => JSON.stringify(part),
  },
];

/** The difference that no cause explains. */
export const TEXT = "text";

/**
 * The causes for which `inFile` is not `wanted`, each with its first line; the cause `text` where a line differs
 * in more than its looks, and then nothing of the lines after it.
 */
export function differences(inFile: string, wanted: string): Difference[] {
  const found = new Map<string, Difference>();
  const fileLines = inFile.split("\n");
  const wantedLines = wanted.split("\n");
  for (let line = 0; line < Math.max(fileLines.length, wantedLines.length); line++) {
    const [fileLine, wantedLine] = [fileLines[line], wantedLines[line]];
    if (fileLine === wantedLine) continue;
    if (fileLine === undefined || wantedLine === undefined || foldAll(fileLine) !== foldAll(wantedLine)) {
      const from = shownFrom(fileLine ?? "", wantedLine ?? "");
      found.set(TEXT, {
        cause: TEXT,
        line,
        inFile: lineInWords(fileLine, from),
        wanted: lineInWords(wantedLine, from),
      });
      break;
    }
    for (const { cause, parts, inWords } of causes) {
      const pair = firstUnequal(parts(fileLine), parts(wantedLine));
      if (pair === undefined || found.has(cause)) continue;
      found.set(cause, { cause, line, inFile: inWords(pair[0]), wanted: inWords(pair[1]) });
    }
  }
  return [...found.values()];
}

function foldAll(line: string): string {
  return causes.reduce((folded, { fold }) => fold(folded), line);
}

function firstUnequal(a: readonly string[], b: readonly string[]): readonly [string, string] | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    if (a[index] !== b[index]) return [a[index] ?? "", b[index] ?? ""];
  }
  return undefined;
}

/** By a loop: the regular expression for it takes quadratic time in a long run of blanks within a line. */
function trailingBlanks(line: string): string {
  let start = line.length;
  while (start > 0 && (line[start - 1] === " " || line[start - 1] === "\t")) start--;
  return line.slice(start);
}

function blanksInWords(blanks: string): string {
  if (blanks === "") return "none";
  const runs = blanks.match(/ +|\t+|[^ \t]+/g) ?? [];
  return runs
    .map((run) => `${run.length} ${run.startsWith("\t") ? "tab" : "space"}${run.length > 1 ? "s" : ""}`)
    .join(" and ");
}

function characterInWords(character: string): string {
  return character === "" ? "none" : `${character} (${codePointName(character.codePointAt(0) ?? 0)})`;
}

const MAX_LINE_SHOWN = 200;

/** Long lines are shown from shortly before the place where they differ. */
function shownFrom(a: string, b: string): number {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return common < MAX_LINE_SHOWN / 2 ? 0 : common - MAX_LINE_SHOWN / 4;
}

function lineInWords(line: string | undefined, from: number): string {
  if (line === undefined) return "no more lines";
  const shown = JSON.stringify(line.slice(from, from + MAX_LINE_SHOWN).toWellFormed());
  return `${from > 0 ? "… " : ""}${shown}${line.length > from + MAX_LINE_SHOWN ? " …" : ""}`;
}
