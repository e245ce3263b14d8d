// The text of a body: converted here where that is cheap whatever it holds, else by the thread, and where the thread
// cannot do it in time and memory, as plain text.
import { ToolError } from "@pluggableharness/protocol";
import type { Deadline } from "../deadline.ts";
import type { ConvertedPage, ConvertJob } from "./convert-job.ts";
import { convertText } from "./convert-text.ts";
import type { Converter } from "./converter.ts";

/** A body of text up to this size is converted where it is: the way to the thread would take longer. */
const INLINE_BYTES = 256 * 1024;
/** The share of the time left that a page's layout may take before its plain text is taken instead. */
const LAYOUT_SHARE = 0.6;
const MAX_LAYOUT_MS = 8_000;

interface Conversion {
  /** The body is not all of it. */
  readonly isCut: boolean;
  readonly deadline: Deadline;
  readonly converter: Converter;
}

/** Converts a body. Throws execution_failed where nothing can be read of it. */
export async function bodyText(
  body: Omit<ConvertJob, "isLastResort">,
  { isCut, deadline, converter }: Conversion,
): Promise<ConvertedPage> {
  const { kind, format, bytes } = body;
  if (kind === "pdf" && isCut) {
    throw unreadable(`the PDF is larger than the ${bytes.length} bytes that are read`);
  }
  deadline.enter("turning the page into text");
  const job: ConvertJob = { ...body, isLastResort: false };
  const isMarkup = kind === "pdf" || (kind === "html" && format !== "raw");
  if (!isMarkup && bytes.length <= INLINE_BYTES) return convertText(job);
  const limitMs = Math.min(MAX_LAYOUT_MS, deadline.leftMs * LAYOUT_SHARE);
  const outcome = await converter.convert(job, limitMs, deadline.signal);
  if (outcome.kind === "page") return outcome.page;
  if (kind === "html") {
    const again = await converter.convert({ ...job, isLastResort: true }, deadline.leftMs, deadline.signal);
    if (again.kind === "page") return again.page;
  }
  if (outcome.kind === "invalid") throw unreadable(`the ${kind} is damaged, or not read: ${outcome.reason}`);
  throw unreadable(`the ${kind} takes too much ${outcome.reason} to be read`);
}

function unreadable(message: string): ToolError {
  return new ToolError("execution_failed", message, { details: { reason: "conversion" } });
}
