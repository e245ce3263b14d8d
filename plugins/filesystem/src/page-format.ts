// How a page looks to a model: every line of the file behind its number and an arrow, and what is no line of the
// file without a number, so that neither can be taken for the other.
import type { LinePiece } from "./line-piece.ts";

const NUMBER_WIDTH = 6;

/** The page as text; each line of the file stands on one line, since its text holds no line feed. */
export function formatPage(pieces: readonly LinePiece[]): string {
  return pieces
    .map((piece) => `${String(piece.line).padStart(NUMBER_WIDTH)}→${piece.text}${note(piece)}`)
    .join("\n");
}

/** Where a line that was cut goes on. */
export function nextColumnOf({ column, text }: LinePiece): number {
  return column + [...text].length;
}

function note(piece: LinePiece): string {
  const { line, column, charactersLeft } = piece;
  const notes: string[] = [];
  if (column > 1) notes.push(`${column - 1} characters before this`);
  if (charactersLeft > 0) {
    notes.push(`${charactersLeft} more characters; go on with offset ${line}, column ${nextColumnOf(piece)}`);
  }
  return notes.length === 0 ? "" : `\n${" ".repeat(NUMBER_WIDTH)}⋯ line ${line}: ${notes.join(", ")}`;
}
