// Cuts a stream of bytes into lines, holding a bounded part of one: what a plugin prints must not fill the host.

/** A line longer than this is cut; the rest of it is dropped. go-plugin's own limit. */
export const MAX_LINE_BYTES = 64 * 1024;

/** Feeds `onLine` with each line, without its line feed. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      this.#keep(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream, or a line, is over. */
  end(): void {
    if (this.#parts.length > 0) this.#onLine(Buffer.concat(this.#parts).toString("utf8"));
    this.#parts = [];
    this.#bytes = 0;
  }

  #keep(part: Buffer): void {
    const kept = part.subarray(0, MAX_LINE_BYTES - this.#bytes);
    // Copied: a slice would keep the whole chunk it came in.
    if (kept.length > 0 || part.length === 0) this.#parts.push(Buffer.from(kept));
    this.#bytes += kept.length;
  }
}
