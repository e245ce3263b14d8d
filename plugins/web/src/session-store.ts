// What is kept for a session, and for no other: stored answers (RFC 9111), the texts that are paged through, and what
// has failed. Everything is bounded, and goes with the session.
import { cacheStores, type Dispatcher, interceptors } from "undici";
import { FailureMemory } from "./failure-memory.ts";
import { PageShelf } from "./page-shelf.ts";

/** The least recently used session goes first. */
const MAX_SESSIONS = 16;
const STORED_BYTES = 4 * 1024 * 1024;
const STORED_ANSWERS = 64;

/** Of one session. */
export interface Session {
  /** Composed around a dispatcher, answers from this session's cache; undefined where there is none. */
  readonly cache: Dispatcher.DispatcherComposeInterceptor | undefined;
  readonly pages: PageShelf;
  readonly failures: FailureMemory;
}

type CacheStore = InstanceType<typeof cacheStores.MemoryCacheStore>;
type CacheKey = Parameters<CacheStore["get"]>[0];

/** The sessions of a plugin. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #cacheTtlMs: number;

  constructor(cacheTtlMs: number) {
    this.#cacheTtlMs = cacheTtlMs;
  }

  get(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? this.#open();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  end(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  get size(): number {
    return this.#sessions.size;
  }

  #open(): Session {
    return {
      cache: this.#cacheTtlMs > 0 ? cacheOf(this.#cacheTtlMs) : undefined,
      pages: new PageShelf(this.#cacheTtlMs),
      failures: new FailureMemory(),
    };
  }
}

/**
 * A private cache by RFC 9111. What says nothing of its freshness is fresh for `ttlMs`, and nothing is used longer
 * than that without asking the server whether it still holds.
 */
function cacheOf(ttlMs: number): Dispatcher.DispatcherComposeInterceptor {
  const memory = new cacheStores.MemoryCacheStore({
    maxSize: STORED_BYTES,
    maxEntrySize: STORED_BYTES / 2,
    maxCount: STORED_ANSWERS,
  });
  return interceptors.cache({
    type: "private",
    // Milliseconds, though its documentation says seconds. Never less than a date header is exact to, or nothing would
    // be stored; the bound below holds all the same.
    cacheByDefault: Math.max(ttlMs, 60_000),
    store: {
      get: (key: CacheKey) => {
        const found = memory.get(key);
        // A store may answer later; this one never does.
        if (found === undefined || found instanceof Promise) return undefined;
        return Object.assign({}, found, { staleAt: Math.min(found.staleAt, found.cachedAt + ttlMs) });
      },
      createWriteStream: (key, value) =>
        // An error is asked for again: it may be gone a second later.
        value.statusCode < 400 ? memory.createWriteStream(key, value) : undefined,
      delete: (key) => memory.delete(key),
    },
  });
}
