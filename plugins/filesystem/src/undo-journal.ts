// What was there before each change of this plugin, so that it can be put back (catalog.md, 'undo_edit'). Holds
// only the bytes a change replaced, in memory, within one bound for all files; the oldest change is dropped first.

import type { Splice } from "@pluggableharness/protocol";
import { commonEnds } from "./common-ends.ts";

/** How to get from a file's content back to what was there before. */
export type Reversal =
  /** The change created the file, and that many directories for it. */
  | { readonly kind: "created"; readonly madeDirectories: number }
  /** `removed` stood where `addedBytes` bytes from `start` stand now. */
  | {
      readonly kind: "replaced";
      readonly start: number;
      readonly addedBytes: number;
      readonly removed: Buffer;
    };

export interface JournalEntry {
  readonly sessionId: string;
  /** Of the content after the change: undo only works on exactly that. */
  readonly sha256After: string;
  readonly reversal: Reversal;
}

/** Bytes of replaced content kept for all files together. */
export const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;
/** Changes kept for all files together. */
export const MAX_JOURNAL_ENTRIES = 10_000;

interface Recorded {
  readonly key: string;
  readonly entry: JournalEntry;
}

/** Changes by file, newest last. */
export class UndoJournal {
  readonly #depth: number;
  #recorded: Recorded[] = [];
  #bytes = 0;

  /** Keeps at most `depth` changes of one file. */
  constructor(depth: number) {
    this.#depth = depth;
  }

  /** Notes a change. A change too large for the journal makes the file's earlier ones useless, and drops them. */
  record(key: string, entry: JournalEntry): void {
    if (this.#depth === 0 || weight(entry) > MAX_JOURNAL_BYTES) {
      this.#drop((recorded) => recorded.key === key);
      return;
    }
    this.#recorded.push({ key, entry });
    this.#bytes += weight(entry);
    if (this.count(key) > this.#depth) this.#dropOldest((recorded) => recorded.key === key);
    while (this.#bytes > MAX_JOURNAL_BYTES || this.#recorded.length > MAX_JOURNAL_ENTRIES)
      this.#dropOldest(() => true);
  }

  /** The last change of a file. */
  last(key: string): JournalEntry | undefined {
    return this.#recorded.findLast((recorded) => recorded.key === key)?.entry;
  }

  /** Takes back the last change of a file, once it was undone. */
  removeLast(key: string): void {
    const index = this.#recorded.findLastIndex((recorded) => recorded.key === key);
    if (index !== -1) this.#removeAt(index);
  }

  /** How many changes of a file can be undone. */
  count(key: string): number {
    return this.#recorded.reduce((count, recorded) => count + (recorded.key === key ? 1 : 0), 0);
  }

  /** Drops the changes of a session that has ended. */
  endSession(sessionId: string): void {
    this.#drop((recorded) => recorded.entry.sessionId === sessionId);
  }

  #drop(doomed: (recorded: Recorded) => boolean): void {
    this.#recorded = this.#recorded.filter((recorded) => !doomed(recorded));
    this.#bytes = this.#recorded.reduce((bytes, { entry }) => bytes + weight(entry), 0);
  }

  #dropOldest(among: (recorded: Recorded) => boolean): void {
    this.#removeAt(this.#recorded.findIndex(among));
  }

  #removeAt(index: number): void {
    for (const { entry } of this.#recorded.splice(index, 1)) this.#bytes -= weight(entry);
  }
}

function weight({ reversal }: JournalEntry): number {
  return reversal.kind === "replaced" ? reversal.removed.length : 0;
}

/** The reversal of a change of these places, which are in order: what stood from the first to the last of them. */
export function reversalOfSplices(before: Buffer, splices: readonly Splice[]): Reversal {
  const { oldStart = 0, newStart = 0 } = splices[0] ?? {};
  const { oldEnd = oldStart, newEnd = newStart } = splices.at(-1) ?? {};
  // A copy: a slice would keep the whole old content alive.
  const removed = Buffer.from(before.subarray(oldStart, oldEnd));
  return { kind: "replaced", start: newStart, addedBytes: newEnd - newStart, removed };
}

/** The reversal of replacing `before` by `after`: only the middle that differs is kept. */
export function reversalOf(before: Buffer, after: Buffer): Reversal {
  const { start, tail } = commonEnds(before, after);
  const middle = {
    oldStart: start,
    oldEnd: before.length - tail,
    newStart: start,
    newEnd: after.length - tail,
  };
  return reversalOfSplices(before, [middle]);
}

/** The content before the change that `reversal` describes. */
export function revert(
  after: Buffer,
  { start, addedBytes, removed }: Extract<Reversal, { kind: "replaced" }>,
): Buffer {
  return Buffer.concat([after.subarray(0, start), removed, after.subarray(start + addedBytes)]);
}
