// The plan of write_file: what the new bytes are, given what was there. An existing text file keeps its encoding,
// byte order mark and, where the content does not say otherwise, its CRLF line endings.
import type { PreviewCall } from "@pluggableharness/plugin";
import { ToolError } from "@pluggableharness/protocol";
import { type ByteText, byteText } from "./byte-text.ts";
import type { PlannedChange } from "./change.ts";
import { refuseIfChanged } from "./change.ts";
import { type DescribedText, describeContent } from "./content-kind.ts";
import { sha256 } from "./digest.ts";
import { type FoundFile, readWholeIfThere, requestOf } from "./file-request.ts";
import { failuresAsToolErrors } from "./jail-failure.ts";
import type { FilesystemState } from "./plugin.ts";
import { diffTexts, type TextDiff } from "./text-diff.ts";
import { bomOf, encodeText, type TextContent } from "./text-encoding.ts";
import { reversalOf } from "./undo-journal.ts";

export interface WriteArguments {
  readonly path: string;
  readonly content: string;
  readonly expected_sha256?: string;
}

export interface PlannedWrite extends PlannedChange {
  readonly content: TextContent;
}

const newFile: TextContent = { kind: "text", encoding: "utf-8", hasBom: false };

/** Plans a write without doing it. Throws what Invoke would throw. */
export function planWrite(input: WriteArguments, call: PreviewCall<FilesystemState>): PlannedWrite {
  const { jail, maxFileBytes } = call.state;
  const request = requestOf(input.path, call);
  failuresAsToolErrors(() => jail.checkWritable(request));
  const before = readWholeIfThere(jail, request, maxFileBytes);
  refuseUnlessExpected(input, before, call);
  const described = before === undefined ? undefined : describeContent(before.bytes, { isWhole: true });
  const text = described?.kind === "text" ? described : undefined;
  const { content, eol } = withEndingsOf(text, input.content);
  const storedAs = text ?? newFile;
  const encoded = encodeText(content, storedAs.encoding, "content");
  const after = Buffer.concat([bomOf(storedAs), encoded]);
  if (after.length > maxFileBytes) {
    throw new ToolError(
      "invalid_arguments",
      `content has ${after.length} bytes, more than the ${maxFileBytes} that a file may have here (max_file_bytes)`,
    );
  }
  const diff = diffOf(before, text, byteText(encoded, storedAs.encoding));
  return {
    request,
    before,
    after: [after],
    reversal: (bytes) => reversalOf(bytes, after),
    ...diff,
    content: storedAs,
    warnings: [
      ...warningsOf(before, described?.kind === "binary" ? described.mediaType : undefined, after),
      ...eol,
    ],
  };
}

/** The new text in the line endings of a file that is all CRLF; a content with CRLF of its own is taken as it is. */
function withEndingsOf(file: DescribedText | undefined, content: string): { content: string; eol: string[] } {
  if (file?.eol !== "crlf" || content.includes("\r\n") || !content.includes("\n"))
    return { content, eol: [] };
  return {
    content: content.replaceAll("\n", "\r\n"),
    eol: ["the file has CRLF line endings; the new content was given them too"],
  };
}

function refuseUnlessExpected(
  input: WriteArguments,
  before: FoundFile | undefined,
  call: PreviewCall<FilesystemState>,
): void {
  const { path, expected_sha256: expected } = input;
  if (expected !== undefined) {
    const actual = before === undefined ? "missing" : sha256(before.bytes);
    if (actual === expected.toLowerCase()) return;
    throw new ToolError(
      "concurrency_conflict",
      before === undefined
        ? `${path} does not exist, but expected_sha256 was given; leave it out to create the file`
        : `${path} has the SHA-256 ${actual}, not the expected one; read it again, then repeat the write`,
    );
  }
  if (before === undefined || !call.state.requireReadBeforeWrite) return;
  refuseIfChanged(call.state, call.context.sessionId, before);
  const { key } = before.path;
  const knowledge = call.state.knownFiles.compare(call.context.sessionId, key, before.version, () =>
    sha256(before.bytes),
  );
  if (knowledge === "unknown") {
    throw new ToolError(
      "invalid_arguments",
      `${path} exists and has not been read in this session; read it with read_file first, or give its expected_sha256`,
    );
  }
}

function diffOf(before: FoundFile | undefined, text: TextContent | undefined, after: ByteText): TextDiff {
  if (before === undefined) return diffTexts(byteText(Buffer.alloc(0), after.encoding), after);
  // A binary file has no lines to compare with.
  if (text === undefined) return { hunks: [], linesAdded: 0, linesRemoved: 0, linesLeftOut: 0 };
  return diffTexts(byteText(before.bytes.subarray(bomOf(text).length), text.encoding), after);
}

function warningsOf(before: FoundFile | undefined, binaryType: string | undefined, after: Buffer): string[] {
  if (before === undefined) return [];
  if (binaryType !== undefined)
    return [`this replaces a binary file (${binaryType}, ${before.bytes.length} bytes) by text`];
  if (after.length === 0 && before.bytes.length > 0)
    return [`this empties a file of ${before.bytes.length} bytes`];
  return after.equals(before.bytes) ? ["the file already has this content"] : [];
}
