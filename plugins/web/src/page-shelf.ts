// The texts of a session's last pages, so that going on with a page means going on with the very text whose beginning
// was read, whatever the server would say now.

/** A page that was turned into text. */
export interface StoredPage {
  readonly finalUrl: string;
  readonly status: number;
  readonly contentType: string;
  readonly title: string;
  readonly text: string;
  readonly bytes: number;
  readonly fetchedAt: string;
  /** The body was longer than what was read of it. */
  readonly isCut: boolean;
  /** Of the body, to know it again. */
  readonly digest: string;
  /** How the text came about; `notes` has them too, with those of the transfer. */
  readonly textNotes: readonly string[];
  readonly notes: readonly string[];
}

const MAX_PAGES = 8;
const MAX_CHARACTERS = 2 * 1024 * 1024;

/** The least recently used page goes first. */
export class PageShelf {
  readonly #pages = new Map<string, { readonly page: StoredPage; readonly until: number }>();
  readonly #ttlMs: number;

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  put(key: string, page: StoredPage): void {
    this.#pages.delete(key);
    this.#pages.set(key, { page, until: performance.now() + this.#ttlMs });
    for (const oldest of this.#pages.keys()) {
      // The last one stays, however long it is: it is the one that is being read.
      if (this.#pages.size === 1 || (this.#pages.size <= MAX_PAGES && this.characters <= MAX_CHARACTERS))
        break;
      this.#pages.delete(oldest);
    }
  }

  get(key: string): StoredPage | undefined {
    const found = this.#pages.get(key);
    if (found === undefined || found.until <= performance.now()) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, found);
    return found.page;
  }

  get characters(): number {
    return [...this.#pages.values()].reduce((sum, { page }) => sum + page.text.length, 0);
  }
}
