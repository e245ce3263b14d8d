// Follows redirects one by one; every address is judged like the first. A refusal tells the whole chain, and where it
// leads, so that a person can be asked for it.
import { isToolError, type Json, ToolError } from "@pluggableharness/protocol";
import type { HttpAnswer } from "./http-client.ts";
import { resolveRedirect } from "./target-url.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The answer that is no redirect, from `start` or from where it leads. GET stays GET. */
export async function followRedirects(
  start: URL,
  maxRedirects: number,
  ask: (url: URL) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const chain = [start];
  for (;;) {
    const [url] = chain.slice(-1);
    const answer = await ask(url ?? start).catch((error: unknown) => {
      throw chain.length > 1 ? withChain(error, chain) : error;
    });
    const location = answer.headers["location"];
    if (!REDIRECTS.has(answer.status) || typeof location !== "string") return answer;
    answer.body.destroy();
    if (chain.length > maxRedirects) {
      throw new ToolError("execution_failed", `more than ${maxRedirects} redirects: ${inWords(chain)}`, {
        details: { reason: "redirects", chain: texts(chain) },
      });
    }
    chain.push(targetOf(location, answer.url, chain));
  }
}

function targetOf(location: string, from: URL, chain: readonly URL[]): URL {
  try {
    return resolveRedirect(location, from);
  } catch (error) {
    throw withChain(error, chain);
  }
}

/** What a server sends the request to is not the caller's mistake: a refusal of it is permission_denied. */
function withChain(error: unknown, chain: readonly URL[]): unknown {
  if (!isToolError(error)) return error;
  const refusesTarget = error.category === "invalid_arguments" || error.category === "permission_denied";
  return new ToolError(
    error.category === "invalid_arguments" ? "permission_denied" : error.category,
    `${refusesTarget ? "the redirect is not followed" : "after a redirect"}: ${error.message} (${inWords(chain)})`,
    { retryable: error.retryable, details: { ...error.details, chain: texts(chain) }, cause: error },
  );
}

function inWords(chain: readonly URL[]): string {
  return texts(chain).join(" → ");
}

function texts(chain: readonly URL[]): string[] & Json {
  return chain.map(({ href }) => (href.length > 500 ? `${href.slice(0, 500)}…` : href));
}
