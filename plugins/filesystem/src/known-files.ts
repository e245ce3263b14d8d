// What each session knows of each file: the version it last read or wrote. It is how a change by somebody else is
// noticed before it is overwritten (catalog.md, 'write_file'). Bounded: the oldest is forgotten first.

/** A version of a file, as far as it was seen. */
export interface SeenVersion {
  /** The jail's version: equal only as long as nobody touched the file. */
  readonly version: string;
  /** Of the whole content where it was seen whole: a file that was touched but holds the same is unchanged. */
  readonly sha256: string | undefined;
}

export type Knowledge = "unknown" | "unchanged" | "changed";

/** Sessions remembered, and files of each. */
export const MAX_SESSIONS = 64;
export const MAX_FILES = 4_096;

/** Versions by session and file. */
export class KnownFiles {
  readonly #sessions = new Map<string, Map<string, SeenVersion>>();

  /** Notes what a session has seen of a file; `key` is the jail's. */
  remember(sessionId: string, key: string, seen: SeenVersion): void {
    const files = this.#sessions.get(sessionId) ?? new Map<string, SeenVersion>();
    replaceNewest(this.#sessions, sessionId, files, MAX_SESSIONS);
    replaceNewest(files, key, seen, MAX_FILES);
  }

  /** The file is gone, or nothing is known of it any more. */
  forget(sessionId: string, key: string): void {
    this.#sessions.get(sessionId)?.delete(key);
  }

  /** Compares what a session has seen with the file as it is; `sha256` is asked for only where the version differs. */
  compare(sessionId: string, key: string, version: string, sha256: () => string): Knowledge {
    const seen = this.#sessions.get(sessionId)?.get(key);
    if (seen === undefined) return "unknown";
    if (seen.version === version) return "unchanged";
    return seen.sha256 !== undefined && seen.sha256 === sha256() ? "unchanged" : "changed";
  }

  /** Drops a session that has ended. */
  endSession(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

/** Sets an entry as the newest of a map and drops the oldest beyond `bound`. */
function replaceNewest<V>(map: Map<string, V>, key: string, value: V, bound: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > bound && oldest.done !== true) map.delete(oldest.value);
}
