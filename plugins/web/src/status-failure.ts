// An answer that is no success, as an error that tells the status and the beginning of what the server wrote.
import { ToolError } from "@pluggableharness/protocol";
import type { HttpAnswer } from "./http-client.ts";
import { mediaKindOf, parseMediaType } from "./page/media-kind.ts";
import { plainText } from "./page/plain-text.ts";
import { decodeText } from "./page/text-encoding.ts";
import { visiblePageText } from "./page/visible-page-text.ts";
import { readBody } from "./read-body.ts";
import { headerText } from "./retries.ts";
import { retryAfterMs } from "./retry-after.ts";
import { untrustedMark } from "./untrusted-mark.ts";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_EXCERPT_CHARACTERS = 1_000;

/** Reads the body, and makes the error. */
export async function statusFailure(
  answer: HttpAnswer,
  attempts: number,
  signal: AbortSignal,
): Promise<ToolError> {
  const excerpt = await excerptOf(answer, signal);
  const waitMs = retryAfterMs(headerText(answer.headers["retry-after"]), Date.now());
  const { status } = answer;
  const isBusy = status === 429 || status === 503;
  const words = [
    `${answer.url.href.slice(0, 500)} answered ${status}${MEANINGS[status] ?? ""}`,
    ...(attempts > 1 ? [`after ${attempts} attempts`] : []),
    ...(isBusy && waitMs !== undefined ? [`ask again in ${Math.ceil(waitMs / 1_000)} s`] : []),
  ];
  return new ToolError(
    "execution_failed",
    words.join("; ") + (excerpt === "" ? "" : `. It says:\n${untrustedMark().block(excerpt)}`),
    {
      retryable: isBusy && waitMs !== undefined,
      details: {
        reason: "status",
        status,
        attempts,
        ...(waitMs !== undefined && { retry_after_ms: waitMs }),
      },
    },
  );
}

const MEANINGS: Readonly<Record<number, string>> = {
  304: " (not modified), though nothing of it is stored here",
  401: " (it wants a login, and none is ever sent)",
  403: " (forbidden)",
  404: " (not found)",
  410: " (gone)",
  429: " (too many requests)",
  451: " (withheld for legal reasons)",
  500: " (the server failed)",
  503: " (the server is busy or down)",
};

async function excerptOf(answer: HttpAnswer, signal: AbortSignal): Promise<string> {
  const contentEncoding = headerText(answer.headers["content-encoding"]);
  // The status is what counts: a body that cannot be read leaves it without an excerpt.
  using body = await readBody(answer.body, { contentEncoding, maxBytes: MAX_BODY_BYTES, signal }).catch(
    () => undefined,
  );
  signal.throwIfAborted();
  if (body === undefined || body.bytes.length === 0) return "";
  const type = parseMediaType(headerText(answer.headers["content-type"]));
  const kind = mediaKindOf(type, body.bytes);
  if (kind === "binary" || kind === "pdf") return "";
  const { text } = decodeText(body.bytes, type.charset, { isHtml: kind === "html" });
  const seen = visiblePageText(kind === "html" ? plainText(text).text : text).trim();
  return seen.length > MAX_EXCERPT_CHARACTERS ? `${seen.slice(0, MAX_EXCERPT_CHARACTERS)} …` : seen;
}
