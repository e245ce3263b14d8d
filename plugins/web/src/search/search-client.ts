// One search at one service: its requests one after the other, each answered, retried where the wait is short, or made
// an error that says what to do. Redirects are not followed: they would carry the key elsewhere.
import { setTimeout as wait } from "node:timers/promises";
import { isToolError } from "@pluggableharness/protocol";
import { type Dispatcher, request } from "undici";
import type { Deadline } from "../deadline.ts";
import { networkFailure } from "../network-failure.ts";
import { ACCEPT_ENCODING, readBody } from "../read-body.ts";
import { headerText } from "../retries.ts";
import type { Turns } from "../turns.ts";
import { backendFailure, searchFailure } from "./search-failure.ts";
import type { Access, RawResult, SearchAdapter, SearchPage, SearchQuery } from "./search-query.ts";
import { withoutSecret } from "./secret.ts";

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_RETRIES = 2;
const MAX_WAIT_MS = 3_000;

/** A service that Configure names. */
export interface Backend {
  readonly name: string;
  readonly adapter: SearchAdapter;
  readonly access: Access;
  readonly dispatcher: Dispatcher;
  readonly turns: Turns;
  readonly userAgent: string;
}

/** The raw results of a query, `offset` passed over. */
export async function searchWith(
  backend: Backend,
  query: SearchQuery,
  deadline: Deadline,
): Promise<{ results: RawResult[]; notes: string[]; hasMore: boolean }> {
  const { pages, skip } = backend.adapter.plan(query);
  const found: RawResult[] = [];
  const notes = new Set<string>();
  let hasMore = false;
  for (const page of pages) {
    const answer = await backend.turns.run(() => askPage(backend, query, page, deadline), deadline.signal);
    found.push(...answer.results);
    for (const note of answer.notes) notes.add(note);
    hasMore = answer.hasMore;
    if (!hasMore || found.length >= skip + query.count) break;
  }
  return {
    results: found.slice(skip, skip + query.count),
    notes: [...notes],
    hasMore: hasMore || found.length > skip + query.count,
  };
}

async function askPage(
  backend: Backend,
  query: SearchQuery,
  page: number,
  deadline: Deadline,
): Promise<SearchPage> {
  for (let attempts = 1; ; attempts++) {
    try {
      return backend.adapter.read(await ask(backend, query, page, deadline), query);
    } catch (error) {
      const failure = withoutSecret(error, backend.access.key);
      const waitMs = isToolError(failure)
        ? Number(failure.details?.["retry_after_ms"] ?? Number.NaN)
        : Number.NaN;
      const isWorthIt = attempts <= MAX_RETRIES && waitMs <= Math.min(MAX_WAIT_MS, deadline.leftMs / 2);
      if (!isWorthIt) throw failure;
      deadline.enter(`waiting for ${backend.name} to take another search`);
      await wait(waitMs, undefined, { signal: deadline.signal }).catch(() =>
        deadline.signal.throwIfAborted(),
      );
    }
  }
}

async function ask(
  { name, adapter, access, dispatcher, userAgent }: Backend,
  query: SearchQuery,
  page: number,
  deadline: Deadline,
) {
  const { method, url, headers, body: sent } = adapter.request(query, page, access, Date.now());
  deadline.enter(`waiting for ${name} to answer`);
  try {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: {
        ...headers,
        "user-agent": userAgent,
        accept: "application/json",
        "accept-encoding": ACCEPT_ENCODING,
      },
      body: sent ?? null,
      signal: deadline.signal,
    });
    // A body that is left before its end reports that as an error.
    answer.body.on("error", () => {});
    const contentEncoding = headerText(answer.headers["content-encoding"]);
    using received = await readBody(answer.body, {
      contentEncoding,
      maxBytes: MAX_BODY_BYTES,
      signal: deadline.signal,
    });
    const { bytes, isCut } = received;
    const text = bytes.toString("utf8");
    const { statusCode: status } = answer;
    if (status < 200 || status >= 300)
      throw searchFailure(
        { name, adapter, key: access.key },
        { status, headers: answer.headers, body: parsed(text) },
      );
    const json = isCut ? undefined : parsed(text);
    if (json === undefined) {
      throw backendFailure(
        name,
        `it answered ${status} with what is no JSON (${isCut ? "more than" : ""} ${bytes.length} bytes)`,
      );
    }
    return json;
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw networkFailure(error, url.host);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a SyntaxError: no JSON
  }
}
