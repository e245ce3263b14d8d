// Where a passage stands in a file. The match is exact but for one thing: an LF of the passage is any line
// ending, LF or CRLF, as a read shows both alike. A passage that holds a CR has said which ending it means and
// is matched byte for byte.
import type { ByteText } from "./byte-text.ts";
import { lfView } from "./lf-view.ts";
import { encodeText, firstUnencodable } from "./text-encoding.ts";

/** A place in a ByteText, from `start` to before `end`. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Whether the line ends of a given text follow those of the file. */
export function followsFileEndings(given: string): boolean {
  return given.includes("\n") && !given.includes("\r");
}

/**
 * The places of a passage that is not empty, from the start of the text, found as they are asked for. With
 * `overlapping` a place may begin inside the one before it, so that `aa` stands twice in `aaa`.
 */
export function* findPassage(
  text: ByteText,
  passage: string,
  { overlapping }: { overlapping: boolean },
): Generator<Match, undefined> {
  if (firstUnencodable(passage, text.encoding) !== undefined) return;
  const eol = followsFileEndings(passage) ? text.eol() : "lf";
  const given = encodeText(
    eol === "crlf" ? passage.replaceAll("\n", "\r\n") : passage,
    text.encoding,
    "old_string",
  );
  if (eol !== "mixed") return yield* findBytes(text, given, overlapping);
  const view = lfView(text);
  for (const { start, end } of findBytes(view.text, given, overlapping)) {
    yield { start: view.toOriginal(start), end: view.toOriginal(end) };
  }
}

function* findBytes(text: ByteText, needle: Buffer, overlapping: boolean): Generator<Match, undefined> {
  const step = overlapping ? text.unit : needle.length;
  for (let start = text.indexOf(needle, 0); start !== -1; start = text.indexOf(needle, start + step)) {
    yield { start, end: start + needle.length };
  }
}
