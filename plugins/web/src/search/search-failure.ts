// What a service answers instead of results, as an error that says what to do: 429 with the wait, a refused key with
// where to look, and never the key itself (search-apis.md, 'Rules for every adapter').
import { ToolError } from "@pluggableharness/protocol";
import { visiblePageText } from "../page/visible-page-text.ts";
import { untrustedMark } from "../untrusted-mark.ts";
import { rateLimitOf } from "./rate-limit.ts";
import type { SearchAdapter } from "./search-query.ts";
import { maskSecret } from "./secret.ts";

const MAX_MESSAGE_CHARACTERS = 300;

interface Service {
  readonly name: string;
  readonly adapter: SearchAdapter;
  readonly key: string | undefined;
}

interface Refusal {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Undefined where it was no JSON. */
  readonly body: unknown;
}

/** The error of a status that is no success. */
export function searchFailure(service: Service, { status, headers, body }: Refusal): ToolError {
  const { name, adapter } = service;
  const quote = quoteOf(adapter.errorText(body), service.key);
  const own = adapter.failures?.[status];
  if (own !== undefined) {
    const category = own.reason === "quota" ? "execution_failed" : "permission_denied";
    return new ToolError(category, `${name}: ${own.hint}${quote}`, {
      details: { reason: own.reason, backend: name, status },
    });
  }
  if (status === 429) return tooMany(name, headers, quote);
  if (status === 401 || status === 403 || status === 422) {
    return new ToolError(
      "permission_denied",
      `${name} refused the search (${status}); check search.api_key and its plan in the provider block${quote}`,
      { details: { reason: "bad_key", backend: name, status } },
    );
  }
  if (status >= 500) return backendFailure(name, `it answered ${status}${quote}`);
  return new ToolError("execution_failed", `${name} did not understand the search (${status})${quote}`, {
    details: { reason: "bad_request", backend: name, status },
  });
}

/** A service that broke, or answered what nobody can read; another try may do. */
export function backendFailure(name: string, words: string): ToolError {
  return new ToolError("execution_failed", `${name} failed: ${words}`, {
    retryable: true,
    details: { reason: "backend_failed", backend: name },
  });
}

function tooMany(name: string, headers: Refusal["headers"], quote: string): ToolError {
  const { waitMs, isQuota } = rateLimitOf(headers, Date.now());
  const when = waitMs === undefined ? "" : `; it takes more in ${Math.ceil(waitMs / 1_000)} s`;
  const what = isQuota ? "its quota is used up" : "too many searches";
  return new ToolError("execution_failed", `${name}: ${what}${when}${quote}`, {
    retryable: !isQuota,
    details: {
      reason: isQuota ? "quota" : "rate_limited",
      backend: name,
      status: 429,
      ...(waitMs !== undefined && { retry_after_ms: waitMs }),
    },
  });
}

/** What a service writes is no more an instruction than what a page writes. The key goes before a cut can halve it. */
function quoteOf(says: string | undefined, key: string | undefined): string {
  if (says === undefined || says === "") return "";
  const words = visiblePageText(maskSecret(says, key)).slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  return `. It says: ${untrustedMark().inline(words)}`;
}
