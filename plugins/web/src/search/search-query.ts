// What is asked of a search backend and what it answers, the same for all of them (search-apis.md).
import type { DomainRule } from "../domain-rules.ts";

export const RECENCIES = ["day", "week", "month", "year"] as const;
export type Recency = (typeof RECENCIES)[number];

export interface SearchQuery {
  readonly text: string;
  readonly count: number;
  /** Results to pass over. */
  readonly offset: number;
  readonly allowedDomains: readonly DomainRule[];
  readonly blockedDomains: readonly DomainRule[];
  readonly recency: Recency | undefined;
}

/** One result as the service wrote it; markup and entities are still in it. */
export interface RawResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly published: string | undefined;
}

export interface SearchRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a service answered. */
export interface SearchPage {
  readonly results: readonly RawResult[];
  readonly notes: readonly string[];
  readonly hasMore: boolean;
}

/** Which pages of a service hold the wanted results, and how many of theirs come before. */
export interface PagePlan {
  readonly pages: readonly number[];
  readonly skip: number;
}

export interface Access {
  readonly endpoint: URL;
  readonly key: string | undefined;
}

/** One service: its requests, its answers and its failures. Pure; search-client.ts does the rest. */
export interface SearchAdapter {
  readonly defaultEndpoint: string | undefined;
  readonly needsKey: boolean;
  /** Requests at the same time with one key. */
  readonly maxParallel: number;
  /** Throws invalid_arguments for what the service cannot be asked. */
  plan(query: SearchQuery): PagePlan;
  request(query: SearchQuery, page: number, access: Access, now: number): SearchRequest;
  /** Throws a ToolError that names a field which is missing. */
  read(body: unknown, query: SearchQuery): SearchPage;
  /** What a service says of its error, in any of its shapes. */
  errorText(body: unknown): string | undefined;
  /** A status that means something of its own to this service. */
  readonly failures?: Readonly<
    Record<number, { readonly reason: "quota" | "json_disabled"; readonly hint: string }>
  >;
}
