// A page of lines out of a text file of any size, in memory for a page (catalog.md, 'read_file'). One pass from the
// front: lines before the page are counted, those of the page decoded, and the rest is passed over to its end
// where the file is small enough to know its number of lines and its digest.
import { type Block, BlockSource, type BlockSourceOptions, type ReadAt } from "./block-source.ts";
import { LineAssembler, type LinePiece } from "./line-piece.ts";
import { bomOf, type TextContent, unitBytes } from "./text-encoding.ts";

export interface PageRequest {
  /** First line, from 1. */
  readonly offset: number;
  /** First character of that line, from 1. */
  readonly column: number;
  /** Lines at the most. */
  readonly limit: number;
  /** UTF-8 bytes of text at the most; one piece is given in any case. */
  readonly maxBytes: number;
  /** Characters of one line at the most. */
  readonly maxLineCharacters: number;
}

export interface Page {
  readonly pieces: readonly LinePiece[];
  /** Lines of the file; undefined where its end was not reached. */
  readonly totalLines: number | undefined;
  /** The line to go on with; undefined where the page ends with the file. */
  readonly nextOffset: number | undefined;
  /** The file ends with a line feed; undefined where its end was not reached. */
  readonly finalNewline: boolean | undefined;
  /** Of the whole file; undefined where it was not read whole. */
  readonly sha256: string | undefined;
}

export interface PageOptions extends Omit<BlockSourceOptions, "withDigest"> {
  /** Files up to this size are read to their end. */
  readonly maxWholeBytes: number;
}

/** Reads a page. Throws the signal's reason when aborted. */
export async function readPage(
  read: ReadAt,
  content: TextContent,
  request: PageRequest,
  options: PageOptions,
): Promise<Page> {
  const readsToEnd = options.sizeBytes <= options.maxWholeBytes;
  const source = new BlockSource(read, { ...options, withDigest: readsToEnd });
  const reader = new PageReader(content, request);
  while (await source.next((block) => reader.take(block))) {
    if (reader.isFull && !readsToEnd) break;
  }
  const atEnd = source.position >= options.sizeBytes || !reader.isFull;
  return reader.page(atEnd, readsToEnd ? source.digest() : undefined);
}

/** Turns blocks into the lines of a page. */
class PageReader {
  readonly #request: PageRequest;
  readonly #content: TextContent;
  readonly #lineFeeds: LineFeeds;
  readonly #pieces: LinePiece[] = [];
  /** The line that the next byte belongs to, from 1. */
  #line = 1;
  /** The next byte is the first of its line. */
  #atLineStart = true;
  #assembler: LineAssembler | undefined;
  #bytesLeft: number;
  #full = false;

  constructor(content: TextContent, request: PageRequest) {
    this.#content = content;
    this.#request = request;
    this.#lineFeeds = new LineFeeds(content);
    this.#bytesLeft = request.maxBytes;
  }

  /** Nothing more is added to the page. */
  get isFull(): boolean {
    return this.#full;
  }

  take(block: Block): void {
    const bytes = block.position === 0 ? block.bytes.subarray(bomOf(this.#content).length) : block.bytes;
    if (bytes.length === 0) return;
    if (this.#full || this.#line < this.#request.offset) {
      const count = this.#countLineFeeds(block, bytes);
      if (this.#full || this.#line + count < this.#request.offset) {
        this.#line += count;
        this.#atLineStart = this.#lineFeeds.isLast(bytes);
        return;
      }
    }
    this.#takeLines(bytes);
  }

  page(atEnd: boolean, sha256: string | undefined): Page {
    if (atEnd && this.#assembler !== undefined) this.#finishLine(false);
    const totalLines = atEnd ? this.#line - (this.#atLineStart ? 1 : 0) : undefined;
    const last = this.#pieces.at(-1)?.line ?? this.#request.offset - 1;
    const hasMore = totalLines === undefined || last < totalLines;
    return {
      pieces: this.#pieces,
      totalLines,
      nextOffset: hasMore ? last + 1 : undefined,
      finalNewline: atEnd ? this.#atLineStart && this.#line > 1 : undefined,
      sha256,
    };
  }

  #countLineFeeds(block: Block, bytes: Buffer): number {
    // A mark holds no line feed, so the whole block counts the same, and that is the fast way.
    return this.#lineFeeds.unit === 1 ? block.countLineFeeds() : this.#lineFeeds.count(bytes);
  }

  #takeLines(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) {
      const at = this.#lineFeeds.next(bytes, from);
      const end = at === -1 ? bytes.length : at;
      if (this.#line >= this.#request.offset && !this.#full)
        this.#addToLine(bytes.subarray(from, end), at !== -1);
      if (at === -1) {
        this.#atLineStart = false;
        return;
      }
      if (this.#assembler !== undefined) this.#finishLine(true);
      this.#line++;
      this.#atLineStart = true;
      from = end + this.#lineFeeds.unit;
    }
  }

  #addToLine(bytes: Buffer, isRest: boolean): void {
    const { offset, column, maxLineCharacters } = this.#request;
    if (this.#assembler === undefined) {
      const window = {
        line: this.#line,
        column: this.#line === offset ? column : 1,
        maxCharacters: maxLineCharacters,
      };
      this.#assembler = new LineAssembler(window, this.#content.encoding);
    }
    this.#assembler.add(bytes, isRest);
  }

  #finishLine(hasLineFeed: boolean): void {
    const piece = this.#assembler?.finish(hasLineFeed);
    this.#assembler = undefined;
    if (piece === undefined) return;
    const size = Buffer.byteLength(piece.text) + 1;
    if (size > this.#bytesLeft && this.#pieces.length > 0) {
      this.#full = true;
      return;
    }
    this.#bytesLeft -= size;
    this.#pieces.push(piece);
    if (this.#pieces.length >= this.#request.limit) this.#full = true;
  }
}

/** Finds line feeds in the units of an encoding. */
class LineFeeds {
  readonly unit: 1 | 2;
  readonly #bytes: Buffer;

  constructor({ encoding }: TextContent) {
    this.unit = unitBytes(encoding);
    this.#bytes = Buffer.from(
      encoding === "utf-16le" ? [0x0a, 0] : encoding === "utf-16be" ? [0, 0x0a] : [0x0a],
    );
  }

  /** Offset of the first one at or after `from`, which is on a border of units; -1 where there is none. */
  next(bytes: Buffer, from: number): number {
    if (this.unit === 1) return bytes.indexOf(0x0a, from);
    // Node 20 and 22 find anything at the half unit that a damaged file may end with, so it is not searched.
    const units = bytes.length % 2 === 0 ? bytes : bytes.subarray(0, -1);
    // Given as "utf16le" a search compares whole units, whatever their byte order.
    return units.indexOf(this.#bytes, from, "utf16le");
  }

  count(bytes: Buffer): number {
    let count = 0;
    for (let at = this.next(bytes, 0); at !== -1; at = this.next(bytes, at + this.unit)) count++;
    return count;
  }

  /** The bytes end with one. */
  isLast(bytes: Buffer): boolean {
    return bytes.length % this.unit === 0 && bytes.subarray(-this.unit).equals(this.#bytes);
  }
}
