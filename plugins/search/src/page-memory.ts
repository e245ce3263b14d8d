// Remembers, for each page that had a next one, what came before that next page, so that the next page can say
// whether the tree has changed in between. A bounded number of short hashes; forgetting one costs only that word.

/** How many pages are remembered over all sessions; the oldest is forgotten first. */
export const MAX_PAGES = 512;

interface PageKey {
  readonly sessionId: string;
  /** The call without its offset and limit. */
  readonly call: string;
  readonly offset: number;
}

/** Hashes of what lies before an offset. */
export class PageMemory {
  readonly #hashes = new Map<string, string>();

  /** Notes what was before `offset` when it was given out as next_offset. */
  note(key: PageKey, hash: string): void {
    const name = nameOf(key);
    this.#hashes.delete(name);
    this.#hashes.set(name, hash);
    const oldest = this.#hashes.keys().next();
    if (this.#hashes.size > MAX_PAGES && oldest.done !== true) this.#hashes.delete(oldest.value);
  }

  /** True where something else came before `offset` when it was given out. */
  hasChanged(key: PageKey, hash: string): boolean {
    const noted = this.#hashes.get(nameOf(key));
    return noted !== undefined && noted !== hash;
  }

  endSession(sessionId: string): void {
    const prefix = `${JSON.stringify(sessionId)} `;
    for (const name of this.#hashes.keys()) if (name.startsWith(prefix)) this.#hashes.delete(name);
  }
}

function nameOf({ sessionId, call, offset }: PageKey): string {
  return `${JSON.stringify(sessionId)} ${offset} ${call}`;
}

/** A running hash of the results in their order (FNV-1a, twice with different seeds: 64 bits). */
export class OrderHash {
  #low = 0x811c9dc5;
  #high = 0xcbf29ce4;

  add(text: string): void {
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : 0x10000;
      this.#low = Math.imul(this.#low ^ unit, 0x01000193);
      this.#high = Math.imul(this.#high ^ unit, 0x01000193) + at;
    }
  }

  get value(): string {
    return `${(this.#low >>> 0).toString(16)}${(this.#high >>> 0).toString(16)}`;
  }
}
