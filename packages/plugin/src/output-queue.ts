// Joins the output of a source that pushes (a PTY, a child's pipes) for a generator that pulls. While a write is
// under way chunks of the same stream are joined, so an idle stream adds no delay and a busy one sends few, large
// messages; a full queue tells the source to pause (architecture.md, 'What an author writes').
import type { OutputStreamName, StreamEvent } from "./event.ts";

/** Largest joined chunk. */
export const MAX_CHUNK_BYTES = 256 * 1024;
/** From here on `push` asks the source to pause. One chunk under way and one being filled. */
export const MAX_QUEUED_BYTES = 2 * MAX_CHUNK_BYTES;

interface Entry {
  readonly stream: OutputStreamName;
  readonly parts: Uint8Array[];
  bytes: number;
}

/** A bounded queue between one source and one reader. */
export class OutputQueue {
  readonly #entries: Entry[] = [];
  readonly #resume: () => void;
  #queuedBytes = 0;
  #paused = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** `resume` is called when a paused source may go on. */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /**
   * Adds bytes in order. False asks the source to pause until `resume`; what it pushes before it obeys is still
   * kept, so nothing is lost.
   */
  push(stream: OutputStreamName, data: Uint8Array): boolean {
    if (data.length > 0) this.#append(stream, data);
    // Only set here: with two sources on one queue, a push of the one must not forget that the other was paused.
    if (this.#queuedBytes >= MAX_QUEUED_BYTES) this.#paused = true;
    this.#notify();
    return !this.#paused;
  }

  /** No more output follows. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** The source broke: the reader gets what was queued, then this error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.end();
  }

  /** The queued output as events, one joined chunk per pull, until `end` or the signal's abort. */
  async *events(signal: AbortSignal): AsyncGenerator<Extract<StreamEvent, { type: "output" }>, void> {
    const wake = (): void => this.#notify();
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        const entry = this.#entries.shift();
        if (entry !== undefined) {
          this.#queuedBytes -= entry.bytes;
          this.#resumeWhenEmptier();
          yield { type: "output", stream: entry.stream, data: joined(entry.parts) };
        } else if (this.#ended || signal.aborted) {
          if (this.#failure !== undefined) throw this.#failure.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }

  #append(stream: OutputStreamName, data: Uint8Array): void {
    this.#queuedBytes += data.length;
    const last = this.#entries.at(-1);
    if (last?.stream === stream && last.bytes + data.length <= MAX_CHUNK_BYTES) {
      addPart(last.parts, data);
      last.bytes += data.length;
    } else {
      this.#entries.push({ stream, parts: [data], bytes: data.length });
    }
  }

  #resumeWhenEmptier(): void {
    if (!this.#paused || this.#queuedBytes > MAX_CHUNK_BYTES) return;
    this.#paused = false;
    this.#resume();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/** Pieces that lie behind each other in one block become one, without a copy. */
function addPart(parts: Uint8Array[], data: Uint8Array): void {
  const last = parts.at(-1);
  const isNext = last?.buffer === data.buffer && last.byteOffset + last.length === data.byteOffset;
  if (last === undefined || !isNext) parts.push(data);
  else parts[parts.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + data.length);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}
