// From a URL to the text of its page: redirects, retries, the bounded body, its conversion. All of it under one
// deadline.
import { createHash } from "node:crypto";
import { ToolError } from "@pluggableharness/protocol";
import type { Deadline } from "./deadline.ts";
import type { HttpAnswer, HttpClient } from "./http-client.ts";
import { networkFailure } from "./network-failure.ts";
import { bodyText } from "./page/body-text.ts";
import type { ConvertJob } from "./page/convert-job.ts";
import type { Converter } from "./page/converter.ts";
import { isSurelyBinary, mediaKindOf, parseMediaType } from "./page/media-kind.ts";
import type { StoredPage } from "./page-shelf.ts";
import { type Body, readBody } from "./read-body.ts";
import { followRedirects } from "./redirect-chain.ts";
import { headerText, withRetries } from "./retries.ts";
import type { Robots } from "./robots.ts";
import type { Session } from "./session-store.ts";
import { statusFailure } from "./status-failure.ts";

export interface PageFetchOptions {
  readonly client: HttpClient;
  readonly converter: Converter;
  readonly robots: Robots | undefined;
  readonly maxRedirects: number;
  readonly maxResponseBytes: number;
}

export interface FetchedPage {
  readonly page: StoredPage;
  readonly fromCache: HttpAnswer["fromCache"];
}

/** Fetches a page. Throws a ToolError for everything that is no page. */
export async function fetchPage(
  url: URL,
  format: ConvertJob["format"],
  session: Session,
  deadline: Deadline,
  options: PageFetchOptions,
  previous?: StoredPage,
): Promise<FetchedPage> {
  const { answer, attempts } = await reach(url, session, deadline, options);
  const isGood = answer.status >= 200 && answer.status < 300;
  if (!isGood) {
    session.failures.note(url.href, answer.status);
    throw await statusFailure(answer, attempts, deadline.signal);
  }
  const type = parseMediaType(headerText(answer.headers["content-type"]));
  const announced = headerText(answer.headers["content-length"]);
  if (isSurelyBinary(type)) {
    answer.body.destroy();
    throw notText(answer.url, type.essence, announced);
  }
  using body = await bodyOf(answer, deadline, options.maxResponseBytes);
  const kind = mediaKindOf(type, body.bytes);
  if (kind === "binary") throw notText(answer.url, type.essence, announced ?? String(body.bytes.length));
  const { isCut } = body;
  const facts = {
    finalUrl: answer.url.href,
    status: answer.status,
    contentType: type.essence || `unknown, read as ${kind}`,
    bytes: body.bytes.length,
    digest: createHash("sha256")
      .update(type.charset ?? "")
      .update(body.bytes)
      .digest("base64"),
    isCut,
  };
  // The same bytes under the same name give the same text.
  const isSame = previous?.digest === facts.digest && previous.finalUrl === facts.finalUrl;
  const isUnchanged = isSame && previous.contentType === facts.contentType;
  const converted = isUnchanged
    ? previous
    : await bodyText(
        { bytes: body.bytes, kind, charset: type.charset, url: answer.url.href, format },
        { isCut, deadline, converter: options.converter },
      );
  const page: StoredPage = {
    ...facts,
    title: converted.title,
    text: converted.text,
    fetchedAt: isUnchanged && answer.fromCache === "fresh" ? previous.fetchedAt : new Date().toISOString(),
    textNotes: converted.textNotes,
    notes: [...notesOf(answer, facts, attempts, announced), ...converted.textNotes],
  };
  return { page, fromCache: answer.fromCache };
}

async function reach(
  url: URL,
  session: Session,
  deadline: Deadline,
  { client, robots, maxRedirects }: PageFetchOptions,
) {
  let attempts = 1;
  const answer = await followRedirects(url, maxRedirects, async (at) => {
    await robots?.check(at, (target, limit) => client.get(target, limit), deadline.signal);
    const attempted = await withRetries(deadline, () => client.get(at, deadline, session.cache));
    attempts = attempted.attempts;
    return attempted.answer;
  });
  return { answer, attempts };
}

async function bodyOf(answer: HttpAnswer, deadline: Deadline, maxBytes: number): Promise<Body> {
  const { host } = answer.url;
  deadline.enter(`reading the body from ${host}`);
  try {
    return await readBody(answer.body, {
      contentEncoding: headerText(answer.headers["content-encoding"]),
      maxBytes,
      expectedBytes: Number(headerText(answer.headers["content-length"]) ?? 0) || undefined,
      signal: deadline.signal,
      onProgress: (bytes) => deadline.rename(`reading the body from ${host}, ${bytes} bytes so far`),
    });
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw networkFailure(error, host);
  }
}

function notesOf(
  { status, fromCache }: HttpAnswer,
  { bytes, isCut }: { readonly bytes: number; readonly isCut: boolean },
  attempts: number,
  announced: string | undefined,
): string[] {
  const whole = announced === undefined ? "" : `; the server announced ${announced}`;
  return [
    ...(isCut ? [`only the first ${bytes} bytes were read${whole}`] : []),
    ...(status === 204 || status === 205 ? [`status ${status}: there is no content`] : []),
    ...(status === 206 ? ["status 206: the server sent a part of the page"] : []),
    ...(attempts > 1 ? [`answered at attempt ${attempts}`] : []),
    ...(fromCache === "revalidated" ? ["revalidated: the server says that the stored page still holds"] : []),
  ];
}

function notText(url: URL, essence: string, size: string | undefined): ToolError {
  const type = essence || "of an unknown type";
  const bytes = /^\d{1,15}$/.test(size ?? "") ? Number(size) : undefined;
  return new ToolError(
    "execution_failed",
    `${url.href.slice(0, 500)} is no text: it is ${type}${bytes === undefined ? "" : `, ${bytes} bytes`}; pages, text, JSON and PDF are read`,
    {
      details: {
        reason: "content_type",
        content_type: essence,
        ...(bytes !== undefined && { size_bytes: bytes }),
      },
    },
  );
}
