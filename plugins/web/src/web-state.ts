// What the operations share, made of the configuration. Apart from plugin.ts, so that the HTTP stack is loaded by
// Configure and not before the handshake.
import type { Deadline } from "./deadline.ts";
import { HostPolicy } from "./host-policy.ts";
import { HttpClient } from "./http-client.ts";
import type { ConvertJob } from "./page/convert-job.ts";
import { Converter } from "./page/converter.ts";
import { type FetchedPage, fetchPage } from "./page-fetch.ts";
import type { StoredPage } from "./page-shelf.ts";
import { Robots } from "./robots.ts";
import { type BackendSettings, openBackends, type Search, search } from "./search/search-backends.ts";
import type { SearchQuery } from "./search/search-query.ts";
import { type Session, SessionStore } from "./session-store.ts";
import { checkSettings } from "./settings-check.ts";

export interface WebSettings {
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  readonly allowPrivateNetworks: boolean;
  readonly privateOrigins: readonly string[];
  readonly dnsServers: readonly string[];
  readonly proxy: { readonly url: string; readonly authorization: string | undefined } | undefined;
  readonly userAgent: string;
  readonly respectRobots: boolean;
  readonly maxResponseBytes: number;
  readonly timeoutMs: number;
  readonly maxRedirects: number;
  readonly cacheTtlMs: number;
  readonly search: readonly BackendSettings[];
}

/** Shared by the operations, disposed with the plugin. */
export interface WebState extends AsyncDisposable {
  readonly policy: HostPolicy;
  readonly timeoutMs: number;
  readonly session: (sessionId: string) => Session;
  readonly endSession: (sessionId: string) => void;
  /** In the order in which they are tried. */
  readonly backendNames: readonly string[];
  readonly search: (query: SearchQuery, deadline: Deadline) => Promise<Search>;
  readonly fetchPage: (
    url: URL,
    format: ConvertJob["format"],
    session: Session,
    deadline: Deadline,
    /** What was made of the page before, in this session and format. */
    previous?: StoredPage,
  ) => Promise<FetchedPage>;
}

/** Opens it. Nothing is connected yet. */
export function openWebState(settings: WebSettings): WebState {
  checkSettings(settings);
  const policy = new HostPolicy(settings);
  const client = new HttpClient({ ...settings, policy });
  const backends = openBackends(settings.search, settings);
  const converter = new Converter();
  const sessions = new SessionStore(settings.cacheTtlMs);
  const options = {
    client,
    converter,
    robots: settings.respectRobots ? new Robots(settings.userAgent) : undefined,
    maxRedirects: settings.maxRedirects,
    maxResponseBytes: settings.maxResponseBytes,
  };
  return {
    policy,
    timeoutMs: settings.timeoutMs,
    backendNames: backends.map(({ name }) => name),
    search: (query, deadline) => search(backends, query, deadline),
    session: (sessionId) => sessions.get(sessionId),
    endSession: (sessionId) => sessions.end(sessionId),
    fetchPage: (url, format, session, deadline, previous) =>
      fetchPage(url, format, session, deadline, options, previous),
    [Symbol.asyncDispose]: async () => {
      await converter[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await Promise.all(backends.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}
