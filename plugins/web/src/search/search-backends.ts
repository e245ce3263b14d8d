// The services that Configure names, in the order in which they are tried, and a search through them: the next one is
// asked where one fails.
import { isToolError, ToolError } from "@pluggableharness/protocol";
import { specialKindOf } from "../address-rules.ts";
import type { Deadline } from "../deadline.ts";
import { type DispatcherOptions, openDispatcher } from "../dispatcher.ts";
import { Turns } from "../turns.ts";
import { brave } from "./brave.ts";
import { exa } from "./exa.ts";
import { type Backend, searchWith } from "./search-client.ts";
import type { RawResult, SearchAdapter, SearchQuery } from "./search-query.ts";
import { type CleanResults, cleanResults } from "./search-results.ts";
import { searxng } from "./searxng.ts";
import { maskSecret } from "./secret.ts";
import { tavily } from "./tavily.ts";

export const BACKENDS = { brave, tavily, searxng, exa } as const satisfies Record<string, SearchAdapter>;
export type BackendName = keyof typeof BACKENDS;

export interface BackendSettings {
  readonly backend: BackendName;
  readonly endpoint: string | undefined;
  readonly apiKey: string | undefined;
}

export interface Search extends CleanResults {
  readonly backend: string;
  readonly notes: readonly string[];
  readonly hasMore: boolean;
}

/** Opens the services. Throws invalid_arguments for one that cannot work. */
export function openBackends(
  settings: readonly BackendSettings[],
  options: DispatcherOptions & { readonly userAgent: string },
): readonly Backend[] {
  return settings.map(({ backend: name, endpoint: given, apiKey }) => {
    const adapter: SearchAdapter = BACKENDS[name];
    const endpoint = endpointOf(name, given ?? adapter.defaultEndpoint, apiKey);
    if (adapter.needsKey && apiKey === undefined) {
      throw invalid(`search.api_key: ${name} needs a key; write api_key = env("NAME") in the search block`);
    }
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw invalid(
        "search.api_key: a key has no spaces, line ends and other characters that a header cannot hold",
      );
    }
    // The endpoint is the operator's, often on this very machine, and the only place the dispatcher is asked for.
    const dispatcher = openDispatcher(isLocal(endpoint) ? { ...options, proxy: undefined } : options, {
      check: () => {},
      isExempt: () => true,
    });
    const access = { endpoint, key: apiKey };
    return {
      name,
      adapter,
      access,
      dispatcher,
      turns: new Turns(adapter.maxParallel),
      userAgent: options.userAgent,
    };
  });
}

/** Searches with the first service that answers. */
export async function search(
  backends: readonly Backend[],
  query: SearchQuery,
  deadline: Deadline,
): Promise<Search> {
  const failures: ToolError[] = [];
  for (const backend of backends) {
    try {
      const found = await searchWith(backend, query, deadline);
      const { key } = backend.access;
      // A service may write the key into a result, too; it goes before a cut can halve it, and after entities are read.
      const { results, filtered } = cleanResults(
        found.results.map((result) => withoutKey(result, key)),
        query,
        Date.now(),
      );
      const notes = [
        ...failures.map(({ message }) => `another backend failed: ${message}`),
        ...found.notes,
        ...(filtered > 0 ? [`${filtered} results were left out by the filters`] : []),
      ];
      return {
        backend: backend.name,
        results: results.map((result) => withoutKey(result, key)),
        filtered,
        notes: notes.map((note) => maskSecret(note, key)),
        hasMore: found.hasMore,
      };
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (!isToolError(error)) throw error;
      failures.push(error);
    }
  }
  throw combined(failures);
}

function withoutKey<R extends Pick<RawResult, "title" | "url" | "snippet">>(
  result: R,
  key: string | undefined,
): R {
  const { title, url, snippet } = result;
  return {
    ...result,
    title: maskSecret(title, key),
    url: maskSecret(url, key),
    snippet: maskSecret(snippet, key),
  };
}

function combined(failures: readonly ToolError[]): ToolError {
  const [first] = failures;
  if (first === undefined || failures.length === 1) return first ?? noBackend();
  const message = failures.map((failure) => failure.message).join("; then ");
  return new ToolError(first.category, message, {
    retryable: failures.some(({ retryable }) => retryable),
    ...(first.details !== undefined && { details: first.details }),
  });
}

/** What web_search answers where Configure names no service. */
export function noBackend(): ToolError {
  return new ToolError(
    "permission_denied",
    'no search backend is configured; the operator can add one to the provider block: search = { backend = "brave", api_key = env("BRAVE_API_KEY") }, or tavily, exa, or searxng with an endpoint',
    { details: { reason: "no_backend" } },
  );
}

function endpointOf(name: string, text: string | undefined, key: string | undefined): URL {
  if (text === undefined) {
    throw invalid(
      `search.endpoint: ${name} has no address of its own; write that of your instance, such as http://127.0.0.1:8888`,
    );
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw invalid("search.endpoint: an http or https address without a user name is expected");
  }
  if (key !== undefined && url.protocol === "http:" && !isLocal(url)) {
    throw invalid(`search.endpoint: the key would go to ${url.host} for all to read; use https`);
  }
  return url;
}

function isLocal({ hostname }: URL): boolean {
  const kind = specialKindOf(hostname.replace(/^\[|\]$/g, ""));
  return hostname === "localhost" || kind === "loopback" || kind === "private";
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_arguments", message);
}
