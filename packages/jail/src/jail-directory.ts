// A directory of the jail, held open: what is in it, and a way for a child process to start in it.
// Hidden names are left out. Of a link is told where it leads only when that is inside and not hidden.

import { Buffer } from "node:buffer";
import type { Dir } from "node:fs";
import { lstatSync, opendirSync } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import { decodeName } from "./file-name.ts";
import type { FileKind, FileStat } from "./file-stat.ts";
import { fileStat, kindOf } from "./file-stat.ts";
import { closedError, errnoOf, fromSystemError } from "./jail-error.ts";
import type { LinkTarget } from "./link-target.ts";
import { linkTargetOf } from "./link-target.ts";
import type { JailPath, Place } from "./place.ts";
import type { WalkContext } from "./way.ts";

/** One name in a directory. */
export interface JailEntry {
  /** Exact, and good as a path again; show it through `printableName`. */
  readonly name: string;
  /** Of the entry itself, never of a link's target. Undefined where the system refuses to tell. */
  readonly stat: FileStat | undefined;
  readonly kind: FileKind;
  /** Only for links. */
  readonly link: LinkTarget | undefined;
}

/** Dispose it when done: it owns descriptors. */
export class JailDirectory {
  readonly path: JailPath;
  readonly stat: FileStat;
  readonly #place: Place;
  readonly #context: WalkContext;
  readonly #reading = new Set<Dir>();
  #isOpen = true;

  /** Takes over `place`, whose target is a directory. */
  constructor(place: Place, context: WalkContext) {
    this.path = place.path;
    this.stat = fileStat(place.directory.stats());
    this.#place = place;
    this.#context = context;
  }

  /**
   * A path that leads to exactly this directory while this object is not disposed, even if it is renamed
   * or replaced: for the working directory of a child process. It tells nothing to a person.
   */
  get pathForChild(): string {
    return this.#handle().pathForChild();
  }

  /**
   * The entries in the system's order, read as they are asked for; a name that vanishes meanwhile is left
   * out. A directory may hold millions: stop when you have enough, the generator then closes itself.
   */
  *entries(): Generator<JailEntry, void, undefined> {
    let directory: Dir | undefined;
    try {
      directory = this.#open();
      while (this.#reading.has(directory)) {
        const next = directory.readSync();
        if (next === null) return;
        const entry = this.#entry(nameOf(next.name));
        if (entry !== undefined) yield entry;
      }
    } catch (error) {
      throw fromSystemError(error, this.path.requested);
    } finally {
      if (directory !== undefined && this.#reading.delete(directory)) directory.closeSync();
    }
  }

  /** Also ends the generators that are still at work. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const directory of this.#reading) directory.closeSync();
    this.#reading.clear();
    this.#place[Symbol.dispose]();
  }

  #handle(): DirectoryHandle {
    if (!this.#isOpen) throw closedError("directory");
    return this.#place.directory;
  }

  #open(): Dir {
    // The types of opendir know no "buffer", which Node has always taken, as readdir does.
    const options = { encoding: "buffer" as BufferEncoding, bufferSize: 256 };
    const directory = opendirSync(this.#handle().at("."), options);
    this.#reading.add(directory);
    // Where a directory cannot be held (walk-portable.ts), what was opened may be another one.
    this.#handle().stats();
    return directory;
  }

  #entry(name: string): JailEntry | undefined {
    const { root, names } = this.#place.steps;
    if (this.#context.hide.covering(root, [...names, name]) !== undefined) return undefined;
    try {
      const stats = lstatSync(this.#handle().at(name), { bigint: true });
      const link = stats.isSymbolicLink() ? linkTargetOf(this.#context, this.#place.steps, name) : undefined;
      return { name, stat: fileStat(stats), kind: kindOf(stats), link };
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT") return undefined;
      if (errno === "EACCES") return { name, stat: undefined, kind: "unknown", link: undefined };
      throw error;
    }
  }
}

function nameOf(name: unknown): string {
  return Buffer.isBuffer(name) ? decodeName(name) : String(name);
}
