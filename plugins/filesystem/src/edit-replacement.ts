// What is written at the place of a match: new_string, its line ends made those of the place. A new_string or
// old_string that holds a CR has said which endings it means: then new_string is written byte for byte.
import { type ByteText, byteText } from "./byte-text.ts";
import { followsFileEndings, type Match } from "./edit-match.ts";
import { encodeText } from "./text-encoding.ts";

/**
 * Makes the function that gives the bytes for each match. Matches must be asked for in order.
 * @throws ToolError `invalid_arguments` where the encoding of the file cannot hold `newString`.
 */
export function replacementFor(
  text: ByteText,
  oldString: string,
  newString: string,
): (match: Match) => Buffer {
  const encode = (given: string) => encodeText(given, text.encoding, "new_string");
  const literal = encode(newString);
  if (!followsFileEndings(newString) || oldString.includes("\r")) return () => literal;
  const eol = text.eol();
  if (eol === "crlf") {
    const bytes = encode(newString.replaceAll("\n", "\r\n"));
    return () => bytes;
  }
  if (eol !== "mixed") return () => literal;

  const lines = newString.split("\n");
  const count = lines.length - 1;
  const keptAtEnd = keptLineEnds(oldString, newString);
  const followingEnding = endingAfter(text);
  return (match) => {
    const own = endingsIn(text, match);
    const replaced = own.length - keptAtEnd;
    const outside = own.length === 0 ? followingEnding(match.end) : "\n";
    const endingOf = (index: number) => {
      if (index >= count - keptAtEnd) return own[own.length - (count - index)];
      // Each line end takes the place of the one with its number; more of them are like the last of those.
      return own[Math.min(index, replaced - 1)] ?? own[0];
    };
    const ended = lines.map((line, index) => line + (index < count ? (endingOf(index) ?? outside) : ""));
    return encode(ended.join(""));
  };
}

/** How many line ends at the end of both strings are the same beyond a common beginning, so keep their bytes. */
function keptLineEnds(oldString: string, newString: string): number {
  const shorter = Math.min(oldString.length, newString.length);
  let start = 0;
  while (start < shorter && oldString[start] === newString[start]) start++;
  let tail = 0;
  while (tail < shorter - start && oldString.at(-1 - tail) === newString.at(-1 - tail)) tail++;
  return newString.slice(newString.length - tail).split("\n").length - 1;
}

type Ending = "\n" | "\r\n";

function endingsIn(text: ByteText, { start, end }: Match): Ending[] {
  const endings: Ending[] = [];
  // An LF after the match is of no interest, and looking for it from every match could take long.
  const passage = byteText(text.bytes.subarray(start, end), text.encoding);
  for (let at = passage.nextLf(0); at !== -1; at = passage.nextLf(at + text.unit)) {
    endings.push(passage.isCrlf(at) ? "\r\n" : "\n");
  }
  return endings;
}

/** Finds the ending of the line that an offset is in, or of the last line that has one. Offsets must rise. */
function endingAfter(text: ByteText): (offset: number) => Ending {
  let next = 0;
  // Looked up once: with many matches in a long last line a search back from each would never end.
  let last: number | undefined;
  return (offset) => {
    if (next !== -1 && next <= offset) next = text.nextLf(offset);
    if (next !== -1) return text.isCrlf(next) ? "\r\n" : "\n";
    last ??= text.lineStart(text.length) - text.unit;
    return text.isCrlf(last) ? "\r\n" : "\n";
  };
}
