// read_file: a page of a text file, with line numbers and the facts a model needs to edit it (catalog.md,
// 'read_file').
import type { JailFile } from "@pluggableharness/jail";
import { s, ToolError, ui } from "@pluggableharness/plugin";
import { type BinaryContent, type DescribedText, describeContent } from "./content-kind.ts";
import { requestOf } from "./file-request.ts";
import { asToolError } from "./jail-failure.ts";
import { formatPage, nextColumnOf } from "./page-format.ts";
import { filesystem } from "./plugin.ts";
import { type Page, readPage } from "./read-page.ts";

const DEFAULT_LIMIT = 2_000;
const MAX_LINE_CHARACTERS = 2_000;
/** What decides the encoding; line endings are those of this much of the file. */
const SAMPLE_BYTES = 256 * 1024;

export const readFile = filesystem.defineTool({
  name: "read_file",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 30_000,
  concurrency: { safe: true },
  description:
    "Reads a text file, or a page of one. Every line comes behind its number and an arrow, which are not part of the file. Long lines are cut and say how to go on; so does a page that is not the last.",
  input: s.object({
    path: s.string("The file, absolute or relative to the working directory."),
    offset: s.optional(s.integer("First line; 1 by default", { min: 1 })),
    limit: s.optional(s.integer("Lines to return; 2000 by default", { min: 1 })),
    column: s.optional(
      s.integer("First character of the first line, to go on within a long line; 1 by default", { min: 1 }),
    ),
  }),
  output: s.object({
    operation: s.literal("read_file"),
    path: s.string("The file, as it was asked for."),
    content: s.string("The lines, each behind its number and an arrow. A line without a number is a note."),
    start_line: s.number("Number of the first line; 0 in an empty file."),
    end_line: s.number("Number of the last line; 0 in an empty file."),
    total_lines: s.optional(s.number("Lines of the file; missing where its end was not reached.")),
    encoding: s.string("utf-8, utf-16le, utf-16be or latin1 (which is also the fallback for unknown bytes)."),
    eol: s.string("Line endings: lf, crlf, mixed or none; of a large file those of its beginning."),
    final_newline: s.optional(
      s.boolean("The file ends with a newline; missing where its end was not looked at."),
    ),
    has_bom: s.boolean("The file begins with a byte order mark, which is not shown."),
    size_bytes: s.number("Size of the file."),
    sha256: s.optional(s.string("Of the whole file, in hex; missing where it was not read whole.")),
    truncated: s.boolean(
      "The file has more than is shown: lines after these, or characters of a line that was cut.",
    ),
    next_offset: s.optional(s.number("The offset of the next page.")),
    next_column: s.optional(s.number("With offset end_line, where the last line shown goes on.")),
  }),

  preview: ({ path, offset = 1, limit = DEFAULT_LIMIT }) =>
    ui.text(`Read ${path}, ${limit} lines from line ${offset}`),

  async invoke({ path, offset = 1, limit = DEFAULT_LIMIT, column = 1 }, call) {
    const { jail, knownFiles, maxReadBytes, maxFileBytes } = call.state;
    try {
      using file = jail.openFile(requestOf(path, call));
      const described = describe(file);
      if (described.kind === "binary") throw binaryFile(path, described, file.stat.sizeBytes);
      const page = await readPage(
        (into, position) => file.read(into, position),
        described,
        { offset, column, limit, maxBytes: maxReadBytes, maxLineCharacters: lineBound(maxReadBytes) },
        { sizeBytes: sizeOf(file, maxFileBytes), maxWholeBytes: maxFileBytes, signal: call.signal },
      );
      refuseBeyondEnd(path, offset, column, page);
      knownFiles.remember(call.context.sessionId, file.path.key, {
        version: file.stat.version,
        sha256: page.sha256,
      });
      return { operation: "read_file", path, ...pageResult(page), ...fileFacts(file, described, page) };
    } catch (error) {
      throw asToolError(error);
    }
  },

  render: ({ path, content, start_line, end_line, total_lines }) => {
    const of = total_lines === undefined ? "" : ` of ${total_lines}`;
    return ui.collapsible(`${path}, lines ${start_line} to ${end_line}${of}`, [ui.codeBlock(content)], {
      collapsed: true,
    });
  },
});

function describe(file: JailFile): DescribedText | BinaryContent {
  // A file that says it is empty may be one of /proc.
  const head = Buffer.allocUnsafe(Math.min(SAMPLE_BYTES, file.stat.sizeBytes || SAMPLE_BYTES));
  const count = file.read(head, 0);
  return describeContent(head.subarray(0, count), { isWhole: count < SAMPLE_BYTES });
}

/** Files of /proc say that they have no bytes; they are read as far as a file may be read whole. */
function sizeOf({ stat }: JailFile, maxFileBytes: number): number {
  return stat.sizeBytes === 0 ? maxFileBytes : stat.sizeBytes;
}

/** A character takes four bytes at the most, so one line fits into any page. */
function lineBound(maxReadBytes: number): number {
  return Math.min(MAX_LINE_CHARACTERS, Math.floor((maxReadBytes - 1) / 4));
}

function binaryFile(path: string, { mediaType }: BinaryContent, sizeBytes: number): ToolError {
  return new ToolError("execution_failed", `${path} is not a text file: ${mediaType}, ${sizeBytes} bytes`, {
    details: { media_type: mediaType, size_bytes: sizeBytes },
  });
}

function refuseBeyondEnd(
  path: string,
  offset: number,
  column: number,
  { pieces, totalLines = 0 }: Page,
): void {
  const [first] = pieces;
  if (first === undefined && offset > Math.max(1, totalLines)) {
    throw new ToolError(
      "invalid_arguments",
      `offset ${offset} is beyond the end: ${path} has ${totalLines} lines`,
      {
        details: { total_lines: totalLines },
      },
    );
  }
  if (column > 1 && (first === undefined || first.text === "")) {
    throw new ToolError(
      "invalid_arguments",
      `column ${column} is beyond the end of line ${offset} of ${path}`,
    );
  }
}

function pageResult(page: Page) {
  const { pieces, nextOffset, totalLines } = page;
  const last = pieces.at(-1);
  const lastIsCut = last !== undefined && last.charactersLeft > 0;
  return {
    content: formatPage(pieces),
    start_line: pieces[0]?.line ?? 0,
    end_line: last?.line ?? 0,
    ...(totalLines !== undefined && { total_lines: totalLines }),
    truncated: nextOffset !== undefined || pieces.some(({ charactersLeft }) => charactersLeft > 0),
    ...(nextOffset !== undefined && { next_offset: nextOffset }),
    ...(lastIsCut && { next_column: nextColumnOf(last) }),
  };
}

function fileFacts(file: JailFile, described: DescribedText, { sha256 }: Page) {
  const { encoding, hasBom, eol, finalNewline } = described;
  return {
    encoding,
    eol,
    has_bom: hasBom,
    ...(file.stat.sizeBytes < SAMPLE_BYTES && { final_newline: finalNewline }),
    size_bytes: file.stat.sizeBytes,
    ...(sha256 !== undefined && { sha256 }),
  };
}
